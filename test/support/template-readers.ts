// What editors insert for a template, by the grammars that they document. A mark stands for all that is not text.

const mark = "\u{e000}";

/**
 * VS Code: https://code.visualstudio.com/docs/editing/userdefinedsnippets#_grammar. A backslash before `$`, `}`, or a backslash makes it a
 * character. A dollar sign before a number, a name, or a brace with one of them begins what is replaced.
 */
export const insertedByVscode = (body: string): string =>
  body.replaceAll(
    /\\([\\$}])|\$(?:\d|[A-Za-z_]|\{(?:\d|[A-Za-z_]))/g,
    (_, character: string | undefined) => character ?? mark,
  );

/** JetBrains: a name between two dollar signs is a variable, and two dollar signs are one. */
export const insertedByJetbrains = (value: string): string =>
  value.replaceAll(/\$\$|\$\w+\$?/g, (found) => (found === "$$" ? "$" : mark));
