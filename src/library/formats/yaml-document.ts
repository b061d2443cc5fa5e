// Reads a YAML text into a document. Texts come from other people, so the depth is limited while the parser goes through the text, before
// anything follows its nesting: what does takes time that grows with the second to fourth power of the depth.
import {
  Composer,
  type Document,
  isCollection,
  isPair,
  Lexer,
  LineCounter,
  type Node,
  type ParsedNode,
  Parser,
} from "yaml";
import { readLimits } from "./read-limits.ts";

export type YamlDocument = Document.Parsed<ParsedNode>;

/** The text is too long, or nested too deeply. */
export class YamlRefused extends Error {
  override readonly name = "YamlRefused";
  /** @param offset of what is too deep */
  constructor(
    readonly reason: "length" | "depth",
    readonly offset: number,
  ) {
    super(`YAML refused: ${reason}`);
  }
}

/**
 * The only way to read YAML.
 * @param lines gets the beginnings of the lines
 * @returns the first document of the text. Its values may be read if it has no errors
 * @throws YamlRefused
 */
export function readYamlDocument(text: string, lines = new LineCounter()): YamlDocument {
  if (text.length > readLimits.yamlBytesMax) throw new YamlRefused("length", readLimits.yamlBytesMax);
  // Messages of errors do not quote the text, and names that occur twice are not compared: each takes the square of the time.
  const composer = new Composer({ uniqueKeys: false, prettyErrors: false, logLevel: "silent", version: "1.2" });
  const [document] = composer.compose(tokensOf(text, lines), true, text.length);
  if (!document) throw new Error("the parser returned no document");
  if (document.errors.length === 0) requireShortKeys(document.contents, 0);
  return document;
}

/**
 * A value in a document without errors, as plain values. The names of fields become texts.
 * @throws ReferenceError for anchors that are used too often
 */
export const plainOf = (
  node: Node | null,
  document: YamlDocument,
  maxAliasCount: number = readLimits.yamlAliasesMax,
): unknown => (node ? node.toJS(document, { maxAliasCount }) : null);

function* tokensOf(text: string, lines: LineCounter) {
  const parser = new Parser(lines.addNewLine);
  lines.addNewLine(0);
  for (const lexeme of new Lexer().lex(text)) {
    yield* parser.next(lexeme);
    // The parser keeps what it is in as a list, so it is not affected itself.
    if (parser.stack.length > readLimits.yamlDepthMax) throw new YamlRefused("depth", parser.offset);
  }
  yield* parser.end();
}

/**
 * A list or a map as the name of a field is written out to get a text, with all in it, so one in another in another would be written out each
 * time. One in another is what `{{name}}` is.
 */
function requireShortKeys(node: unknown, keysAround: number): void {
  if (!isCollection(node)) return;
  if (keysAround > readLimits.yamlKeysInKeysMax) throw new YamlRefused("depth", node.range?.[0] ?? 0);
  for (const item of node.items) {
    if (!isPair(item)) requireShortKeys(item, keysAround);
    else {
      requireShortKeys(item.key, keysAround + 1);
      requireShortKeys(item.value, keysAround);
    }
  }
}
