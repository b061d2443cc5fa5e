// Why a text is not valid YAML, for the person who wrote it: the parser's own reasons are in the terms of its grammar, and it finds a missing
// quotation mark only at the end.
import { type Document, type ErrorCode, isCollection, isScalar, type Node, visit, type YAMLParseError } from "yaml";

export interface YamlReason {
  /** A sentence without its period. */
  readonly message: string;
  /** Where it begins. */
  readonly offset: number;
}

const shownMax = 20;
const missingColon = "a colon and a space are missing after the name of a field";

export function reasonOf(document: Document, text: string): YamlReason | undefined {
  const [error, second] = document.errors;
  if (!error) return undefined;
  const [offset] = error.pos;
  const open = openAt(document, offset);
  if (open && (error.code === "MISSING_CHAR" || error.code === "BAD_INDENT"))
    return {
      message: isScalar(open) ? "a quotation mark is not closed" : "a bracket is not closed",
      offset: open.range?.[0] ?? offset,
    };
  if (error.code === "BLOCK_AS_IMPLICIT_KEY" && second?.code === "MULTILINE_IMPLICIT_KEY")
    return { message: "a line is indented too far", offset: text.indexOf("\n", offset) + 1 };
  return { message: reasons[error.code]?.(text, offset) ?? ownMessage(error), offset };
}

/** Where a value such as `*x` is that refers to nothing. */
export function danglingAlias(document: Document): number | undefined {
  const anchors = new Set<string>();
  let offset: number | undefined;
  visit(document, {
    Value: (_, node) => {
      if (node.anchor !== undefined) anchors.add(node.anchor);
    },
    Alias: (_, { source, range }) => {
      if (anchors.has(source)) return undefined;
      offset = range?.[0];
      return visit.BREAK;
    },
  });
  return offset;
}

export const needsQuotes = (character: string): string =>
  `a value that begins with "${character}" needs quotation marks`;

const reasons: Readonly<Partial<Record<ErrorCode, (text: string, offset: number) => string>>> = {
  MISSING_CHAR: () => missingColon,
  MULTILINE_IMPLICIT_KEY: () => missingColon,
  BLOCK_AS_IMPLICIT_KEY: () => 'a value that contains ": " needs quotation marks',
  BAD_INDENT: () => "the lines are not indented consistently",
  TAB_AS_INDENT: () => "the line is indented with a tab instead of spaces",
  BAD_SCALAR_START: (text, offset) => needsQuotes(text.slice(offset, offset + 1)),
  BAD_DQ_ESCAPE: () => "between double quotation marks, a backslash must be written twice",
  UNEXPECTED_TOKEN: (text, offset) => `"${shownAt(text, offset)}" is not expected here`,
};

function shownAt(text: string, offset: number): string {
  const characters = [...(text.slice(offset).split("\n", 1)[0] ?? "").trim()];
  return characters.length > shownMax ? `${characters.slice(0, shownMax).join("")}…` : characters.join("");
}

const ownMessage = ({ message }: YAMLParseError): string =>
  message.split("\n")[0]?.replace(/ at line \d+, column \d+:?$/, "") ?? "";

/** The quoted value or the list in brackets that the parser is in. */
function openAt(document: Document, offset: number): Node | undefined {
  let open: Node | undefined;
  visit(document, {
    Node: (_, node) => {
      const isQuoted = isScalar(node) && node.type?.startsWith("QUOTE") === true;
      const isFlow = isCollection(node) && node.flow === true;
      const [start = offset, , end = start] = node.range ?? [];
      if ((isQuoted || isFlow) && start < offset && end >= offset) open = node;
    },
  });
  return open;
}
