// Joins class names.
/** Joins the names that apply with spaces. */
export const classNames = (...names: readonly (string | false | undefined)[]): string =>
  names.filter(Boolean).join(" ");
