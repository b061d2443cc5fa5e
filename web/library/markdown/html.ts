// Markdown as HTML for the clipboard, so that it arrives formatted in mail, help desks, and documents.
import { type MarkdownElement, type MarkdownNode, parseMarkdown } from "./tree.ts";

/** Contains only elements that Markdown has, links to pages and addresses, and escaped text. */
export const markdownToHtml = (text: string): string => write(parseMarkdown(text).nodes);

const write = (nodes: readonly MarkdownNode[]): string =>
  nodes.map((node) => (typeof node === "string" ? escapeHtml(node) : writeElement(node))).join("");

const empty = new Set(["br", "hr"]);
/** Where text is pasted, it gets the look of that place. A table and code would not be recognized there. */
const styles: Readonly<Record<string, string>> = {
  table: "border-collapse: collapse",
  th: "border: 1px solid #999; padding: 4px 8px",
  td: "border: 1px solid #999; padding: 4px 8px",
  pre: "white-space: pre-wrap; font-family: monospace",
  code: "font-family: monospace",
};

function writeElement({ tag, children, dir, href, start, align }: MarkdownElement): string {
  const style = [styles[tag], align && `text-align: ${align}`].filter(Boolean).join("; ");
  const attributes = Object.entries({ dir, href, start: start === 1 ? undefined : start, style: style || undefined })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}="${escapeHtml(String(value))}"`)
    .join("");
  return empty.has(tag) ? `<${tag}>` : `<${tag}${attributes}>${write(children)}</${tag}>`;
}

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (character) => entities[character] ?? character);
