// Leaves out cases that are alike and take long.

/**
 * The cases that a run tries: of each so many one, from a random one on, so that each run tries others. `npm test` with file names, and
 * with `TEST_CASES=all`, tries all.
 */
export function someCases<Case>(cases: readonly Case[], each: number): Case[] {
  const isThinned = process.env.TEST_CASES === "some" && cases.length > each;
  const first = Math.floor(Math.random() * each);
  return cases.filter((_, index) => !isThinned || index % each === first);
}
