// Leaves out cases that are alike and take long. `npm test` without words tries others each time, and in every other way all of them.

const isThinned = process.env.TEST_CASES === "some";

/** Every so many-th case, from a random one on. */
export function someCases<Case>(cases: readonly Case[], each: number): readonly Case[] {
  if (!isThinned || cases.length <= each) return cases;
  const first = Math.floor(Math.random() * each);
  return cases.filter((_, index) => index % each === first);
}

/** Whether a case is one of those, one in so many. */
export const isTried = (each: number): boolean => !isThinned || Math.random() * each < 1;
