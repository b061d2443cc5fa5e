// Writes YAML that every parser reads the same way. Those of YAML 1.1, such as libyaml, take more characters for line ends than those of
// YAML 1.2, and more words for something else than a text.
import { Scalar, stringify } from "yaml";

/** What YAML 1.1 takes for a line end, or does not allow as it is. Line feeds and tabs are not among them. */
const special = /[^\P{Cc}\n\t]|[\p{Zl}\p{Zp}\ufeff\ufffe\uffff]/gu;
/** A text of several lines that begins with white space, which a block would lose; a line with a tab; and what YAML 1.1 takes for a key. */
const quoted = /^\s[\s\S]*\n|^\n|^[^\n]*\t[^\n]*$|^(?:=|<<)$/;

export const yamlText = (value: unknown): string =>
  stringify(yamlNode(value), {
    lineWidth: 0,
    aliasDuplicateObjects: false,
    // Puts words such as `yes` in quotes.
    compat: "yaml-1.1",
    doubleQuotedMinMultiLineLength: Number.POSITIVE_INFINITY,
  }).replace(special, escaped);

/** In quotes, where it is. */
const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** The value with each text in quotes that must be. */
export function yamlNode(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(yamlNode);
  if (typeof value === "object" && value !== null)
    return new Map(Object.entries(value).map(([name, each]) => [yamlNode(name), yamlNode(each)]));
  if (typeof value !== "string" || (value.search(special) < 0 && !quoted.test(value))) return value;
  const scalar = new Scalar(value);
  scalar.type = Scalar.QUOTE_DOUBLE;
  return scalar;
}
