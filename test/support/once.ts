// Imported by test files that do not depend on the database, such as those of TLS, PDF or the files in deploy/: `npm test` runs them
// once instead of on each engine.
