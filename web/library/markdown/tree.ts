// Markdown as a tree of elements, from which both the formatted view and the clipboard's HTML are made. No HTML of a text gets into it.
import MarkdownIt, { type Token } from "markdown-it";
import { placeholderPattern } from "../../../src/library/placeholders.ts";
import { directionOf } from "../direction.ts";

export interface MarkdownElement {
  readonly tag: string;
  readonly children: readonly MarkdownNode[];
  readonly dir?: "ltr" | "rtl" | "auto";
  /** Of a link. Only addresses that lead to pages, mail, and telephones. */
  readonly href?: string;
  /** The first number of a list. */
  readonly start?: number;
  /** Of a cell in a table. */
  readonly align?: string;
  /** Of a block of code. */
  readonly language?: string;
}
export type MarkdownNode = string | MarkdownElement;

// As in comments and messages elsewhere, a line break in the text is a line break.
const markdown = new MarkdownIt({ html: false, linkify: true, breaks: true });
// "Example.com" in a sentence stays text: only addresses with a scheme become links.
markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false });

/** Links lead to these; everything else, such as `javascript:`, stays text. */
const linkPattern = /^(https?:|mailto:|tel:)/i;

/** Elements in each other. A browser does not survive thousands; what is deeper is shown without its own format. */
const depthMax = 100;
/** A block of code is more than an element: it is highlighted. */
const tokensOfCode = 10;

/**
 * The tree of a text, or of its beginning.
 * @param tokensMax what it may be made of
 */
export function parseMarkdown(
  text: string,
  tokensMax = Number.POSITIVE_INFINITY,
): { readonly nodes: readonly MarkdownNode[]; readonly isCut: boolean } {
  const rest: Rest = { tokens: tokensMax };
  const nodes = treeOf(markdown.parse(text, {}), 0, rest);
  return { nodes, isCut: rest.tokens < 0 };
}

interface Open {
  readonly token: Token | undefined;
  readonly children: MarkdownNode[];
}

/** What of a text is left to show. */
interface Rest {
  tokens: number;
}

const isCode = ({ type }: Token): boolean => type === "fence" || type === "code_block";

/**
 * Makes a tree from a flat list of tokens, in which an element has a token where it opens and one where it closes.
 * @param depth of the element around them
 */
function treeOf(tokens: readonly Token[], depth: number, rest: Rest): readonly MarkdownNode[] {
  const top: Open = { token: undefined, children: [] };
  const open: Open[] = [top];
  let tooDeep = 0;
  const close = () => {
    const closed = open.length > 1 ? open.pop() : undefined;
    if (closed?.token) append(open.at(-1) ?? top, elementOf(closed.token, closed.children));
  };
  for (const token of tokens) {
    rest.tokens -= isCode(token) ? tokensOfCode : 1;
    if (rest.tokens < 0) break;
    const around = open.at(-1) ?? top;
    const isDeepest = depth + open.length > depthMax;
    if (token.nesting === 1 && isDeepest) tooDeep += 1;
    else if (token.nesting === 1) open.push({ token, children: [] });
    else if (token.nesting === -1 && tooDeep > 0) tooDeep -= 1;
    else if (token.nesting === -1) close();
    else if (token.type === "inline") append(around, treeOf(token.children ?? [], depth + open.length, rest));
    else append(around, leafOf(token));
  }
  while (open.length > 1) close();
  return top.children;
}

/** One by one: a call has no room for a hundred thousand arguments. */
function append({ children }: Open, nodes: readonly MarkdownNode[]): void {
  for (const node of nodes) children.push(node);
}

/** Each of them has the direction of its own text. */
const paragraphs = /^(p|h[1-6]|t[hd])$/;
/** They have the direction with which their text begins, because `auto` does not look into paragraphs with their own. */
const containers = /^(ul|ol|li|blockquote|table)$/;

function elementOf(token: Token, children: readonly MarkdownNode[]): readonly MarkdownNode[] {
  // A list without empty lines between its items has paragraphs that are none.
  if (token.hidden) return children;
  const { tag } = token;
  if (tag === "a") return linkOf(String(token.attrGet("href") ?? ""), children);
  const align = /text-align:(\w+)/.exec(String(token.attrGet("style") ?? ""))?.[1];
  return [
    {
      tag,
      children,
      ...(paragraphs.test(tag) && { dir: "auto" }),
      ...(containers.test(tag) && { dir: directionOf(beginningOf(children) ?? "") }),
      ...(tag === "ol" && { start: Number(token.attrGet("start") ?? 1) }),
      ...(align !== undefined && { align }),
    },
  ];
}

function leafOf(token: Token): readonly MarkdownNode[] {
  switch (token.type) {
    case "softbreak":
    case "hardbreak":
      // A search does not take the words around it for one.
      return [{ tag: "br", children: [] }, "\n"];
    case "hr":
      return [{ tag: "hr", children: [] }];
    case "code_inline":
      return [{ tag: "code", children: [token.content] }];
    case "fence":
    case "code_block": {
      const language = token.info.split(/\s/)[0] || "code";
      return [{ tag: "pre", children: [token.content.replace(/\n$/, "")], language }];
    }
    case "image":
      // Nothing is loaded from other hosts.
      return linkOf(String(token.attrGet("src") ?? ""), [token.content || "Image"]);
    default:
      return token.content === "" ? [] : [token.content];
  }
}

const linkOf = (href: string, children: readonly MarkdownNode[]): readonly MarkdownNode[] =>
  linkPattern.test(href) ? [{ tag: "a", href, children }] : children;

/** The first text with a letter outside of placeholders. */
function beginningOf(nodes: readonly MarkdownNode[]): string | undefined {
  for (const node of nodes) {
    const text = typeof node === "string" ? node : beginningOf(node.children);
    if (text !== undefined && /\p{L}/u.test(text.replace(placeholderPattern, ""))) return text;
  }
  return undefined;
}
