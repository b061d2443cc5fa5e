// biome-ignore-all lint/suspicious/noControlCharactersInRegex: they are what it is about.
// Reads files for UltiSnips by its rules, which are those of Python: where a line ends, and what white space is.

/** What `str.splitlines` takes for a line end. */
export const pythonLineEnd = /\r\n|[\n\v\f\r\u{1c}-\u{1e}\u{85}\u{2028}\u{2029}]/gu;
/** What `str.strip` removes. */
const space = String.raw`[\t-\r\u{1c}-\u{20}\u{85}\u{a0}\u{1680}\u{2000}-\u{200a}\u{2028}\u{2029}\u{202f}\u{205f}\u{3000}]`;
const stripped = (text: string): string => text.replaceAll(new RegExp(`^${space}+|${space}+$`, "gu"), "");

export interface UltiSnipsReading {
  readonly snippets: readonly { readonly header: string; readonly text: string }[];
  /** All other lines that are not empty. */
  readonly others: readonly string[];
}

export function readUltisnips(file: string): UltiSnipsReading {
  const lines = file.split(pythonLineEnd);
  const snippets: { header: string; text: string }[] = [];
  const others: string[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    const [head] = stripped(line).split(new RegExp(`${space}+`, "u"));
    if (head !== "snippet" && head !== "global") {
      if (stripped(line) !== "") others.push(line);
      continue;
    }
    const start = at + 1;
    do at += 1;
    while (at < lines.length && stripped(`.${lines[at]}`) !== `.end${head}`);
    if (at === lines.length) others.push(`no end${head}`);
    const text = lines.slice(start, at).join("\n");
    if (head === "snippet") snippets.push({ header: line, text: inserted(text) });
    else others.push(line);
  }
  return { snippets, others };
}

/** The text that is inserted: a backslash makes what follows a character, and a mark stands for all else that is not text. */
const inserted = (text: string): string =>
  text.replaceAll(
    /\\([{}\\$`])|`|\$(?=\d|\{\d|\{VISUAL)/g,
    (_, character: string | undefined) => character ?? "\u{e000}",
  );
