// Leaves out cases that are alike and take long. Each run tries others; `npm test` with file names, and with `TEST_CASES=all`, tries all.

const isThinned = process.env.TEST_CASES === "some";

/** Every so many-th case, from a random one on. */
export function someCases<Case>(cases: readonly Case[], each: number): readonly Case[] {
  if (!isThinned || cases.length <= each) return cases;
  const first = Math.floor(Math.random() * each);
  return cases.filter((_, index) => index % each === first);
}

/** Whether a case is one of those, one in so many. */
export const isTried = (each: number): boolean => !isThinned || Math.random() * each < 1;
