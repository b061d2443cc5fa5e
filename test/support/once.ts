// Imported by test files whose subject does not reach the database, such as TLS, a PDF or the files in deploy/: `npm test` runs them
// once instead of on each engine. Alone they run on whichever engine is named.
