// Formats a document: its HTML, its headings, and the texts that a search finds.
import MarkdownIt, { type Token } from "markdown-it";
import { highlight } from "./highlight.ts";
import { anchorOf, type ResolveLink } from "./links.ts";

/** A heading with the text below it, up to the next heading. */
export interface Passage {
  /** 1 for the title of the document. */
  readonly level: number;
  readonly heading: string;
  readonly anchor: string;
  readonly content: string;
}

export interface Document {
  readonly html: string;
  readonly passages: readonly Passage[];
}

const parser = new MarkdownIt({ html: true });

export function renderDocument(text: string, resolveLink: ResolveLink): Document {
  const tokens = parser.parse(text, {});
  const passages = readPassages(tokens);
  for (const { children } of tokens) if (children) resolveLinks(children, resolveLink);
  return { html: parser.renderer.render(tokens, parser.options, {}), passages };
}

/** Reads what is below each heading, and gives the headings their anchors. */
function readPassages(tokens: readonly Token[]): Passage[] {
  const passages: (Passage & { content: string })[] = [];
  const used = new Map<string, number>();
  for (const [index, token] of tokens.entries()) {
    if (token.type === "heading_open") {
      const heading = plainText(tokens[index + 1]);
      const base = anchorOf(heading);
      const count = used.get(base) ?? 0;
      used.set(base, count + 1);
      const anchor = count === 0 ? base : `${base}-${count}`;
      token.attrSet("id", anchor);
      passages.push({ level: Number(token.tag.slice(1)), heading, anchor, content: "" });
    } else if (tokens[index - 1]?.type !== "heading_open") {
      const passage = passages.at(-1);
      const content = plainText(token);
      if (passage && content !== "") passage.content += passage.content === "" ? content : ` ${content}`;
    }
  }
  return passages;
}

/** What a reader sees of a token, on one line. */
function plainText(token: Token | undefined): string {
  if (token?.type === "fence" || token?.type === "code_block") return token.content.replaceAll(/\s+/g, " ").trim();
  return (token?.children ?? []).map(({ type, content }) => (isBreak.has(type) ? " " : content)).join("");
}

/** Tokens between lines. The only HTML in a line is `<br>`. */
const isBreak: ReadonlySet<string> = new Set(["softbreak", "hardbreak", "html_inline"]);

/** Links that lead nowhere on the site become plain text. */
function resolveLinks(tokens: Token[], resolveLink: ResolveLink): void {
  let isPlain = false;
  for (const token of tokens) {
    if (token.type === "link_open") {
      const target = resolveLink(String(token.attrGet("href") ?? ""));
      isPlain = target === undefined;
      if (target !== undefined) token.attrSet("href", target);
    }
    if (isPlain && (token.type === "link_open" || token.type === "link_close")) token.hidden = true;
  }
}

const rules = parser.renderer.rules;
// What is wider than the page scrolls. It is a group, because a page can have many, and regions need different names.
rules.table_open = () => '<div class="table" role="group" aria-label="Table" tabindex="0"><table>\n';
rules.table_close = () => "</table></div>\n";
// A heading without a text confuses screen readers.
rules.th_open = (tokens, index) => (tokens[index + 1]?.content === "" ? "<td>" : '<th scope="col">');
rules.th_close = (tokens, index) => (tokens[index - 1]?.content === "" ? "</td>\n" : "</th>\n");
rules.fence = (tokens, index) => {
  const { content = "", info = "" } = tokens[index] ?? {};
  const code = highlight(content.replace(/\n$/, ""), info.trim());
  return `<div class="code"><pre tabindex="0"><code>${code}</code></pre></div>\n`;
};
// Comments are for those who edit the file.
rules.html_block = (tokens, index) => (tokens[index]?.content ?? "").replaceAll(/<!--.*?-->\n?/gs, "");
