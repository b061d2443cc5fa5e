// Class names joined, without those that do not apply.
/** Joins what is there. */
export const classNames = (...names: readonly (string | false | undefined)[]): string =>
  names.filter(Boolean).join(" ");
