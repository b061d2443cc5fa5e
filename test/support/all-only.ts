// A test file that imports this runs with `--all`, with `--changed`, and by its name, but not in each `npm test`: it takes minutes.
export {};
