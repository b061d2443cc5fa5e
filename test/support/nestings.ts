// Texts that nest, for parsers that are slow with them.

const repeated = (unit: string, length: number): string =>
  unit.repeat(Math.ceil(length / unit.length)).slice(0, length);

function indented(length: number): string {
  let text = "";
  for (let level = 0; text.length < length; level += 1) text += `${" ".repeat(level)}a:\n`;
  return text.slice(0, length);
}

type Nesting = (length: number) => string;

const closed =
  (open: string, close: string): Nesting =>
  (length) =>
    open.repeat(length / 2 / open.length) + close.repeat(length / 2 / open.length);

/** Deep ones, by what they repeat. */
export const deepYaml: Readonly<Record<string, Nesting>> = {
  ...Object.fromEntries(
    ["{", "[", "[{", "{a: ", "- ", "? ", "? - ", "- ? ", ": ", "a: ", "{? ", "[a: "].map((unit) => [
      unit,
      (length: number) => repeated(unit, length),
    ]),
  ),
  "a: {": (length) => `a: ${repeated("{", length - 3)}`,
  "{}": closed("{", "}"),
  "[]": closed("[", "]"),
  "lines, each further in": indented,
};

/** The same with those that are flat, and with what other parsers nest or look for. */
export const nestings: Readonly<Record<string, Nesting>> = {
  ...deepYaml,
  ...Object.fromEntries(
    [
      "&a ",
      "*a ",
      "!t ",
      "}",
      "[],",
      ",",
      '"',
      "'",
      "<a>",
      "<a ",
      "<!--",
      '{"a":',
      '["a",',
      "//",
      "/*",
      "> ",
      "* ",
      "**",
      "`",
      "${1:",
      "{{",
    ].map((unit) => [`flat ${unit}`, (length: number) => repeated(unit, length)]),
  ),
};
