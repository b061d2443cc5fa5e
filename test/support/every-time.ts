// Imported by test files that take long or whose PostgreSQL does, and that every `npm test` runs all the same, since they try the central
// promises. Of the others it runs a sixth, and `npm test -- --all` all (`scripts/test-plan.ts`).
