// Shows Markdown formatted. Elements are made from its tokens: no HTML of a text ever becomes part of the page.
import MarkdownIt, { type Token } from "markdown-it";
import { createElement, Fragment, type ReactNode, useDeferredValue, useMemo } from "react";
import { cutAtRuns, useRuns } from "./use-runs.ts";

const markdown = new MarkdownIt({ html: false, linkify: true });
// "Example.com" in a sentence stays text: only addresses with a scheme become links.
markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false });

/** A browser shows this much in a moment: characters, and what they are formatted as. */
const shownMax = 100_000;
const tokensMax = 30_000;
/** A block of code is more than an element: it is highlighted. */
const tokensOfCode = 10;
/** Elements in each other. A browser does not survive thousands; what is deeper is shown without its own format. */
const depthMax = 100;
/** Links lead to these; everything else, such as `javascript:`, stays text. */
const linkPattern = /^(https?:|mailto:|tel:)/i;

const classes: Readonly<Record<string, string>> = {
  h1: "mt-6 mb-2 text-xl font-semibold first:mt-0",
  h2: "mt-5 mb-2 text-lg font-semibold first:mt-0",
  h3: "mt-4 mb-1.5 text-base font-semibold first:mt-0",
  h4: "mt-4 mb-1.5 font-semibold first:mt-0",
  h5: "mt-4 mb-1.5 font-semibold first:mt-0",
  h6: "text-quiet mt-4 mb-1.5 font-semibold first:mt-0",
  p: "my-2.5 first:mt-0 last:mb-0",
  ul: "my-2.5 list-disc pl-6",
  ol: "my-2.5 list-decimal pl-6",
  li: "my-1",
  blockquote: "border-line text-quiet my-3 border-l-3 pl-3.5",
  table: "my-3 border-collapse text-left",
  th: "border-line bg-sunken border px-2.5 py-1.5 font-medium",
  td: "border-line border px-2.5 py-1.5",
  hr: "border-line my-5 border-t",
  s: "line-through",
};
/** The headings of a text are below those of the page. */
const headings: Readonly<Record<string, string>> = { h1: "h3", h2: "h4", h3: "h5", h4: "h6", h5: "h6", h6: "h6" };

export interface MarkdownPreviewProps {
  readonly text: string;
}

export default function MarkdownPreview({ text }: MarkdownPreviewProps) {
  const shown = useDeferredValue(text.slice(0, shownMax));
  const { content, isCut } = useMemo(() => format(shown), [shown]);
  return (
    <div className="max-w-prose min-w-0 text-[0.9375rem] leading-relaxed wrap-anywhere">
      {text.trim() === "" ? <p className="text-quiet italic">Empty</p> : content}
      {(isCut || text.length > shownMax) && <p className="text-quiet mt-4">Only the beginning is shown.</p>}
    </div>
  );
}

interface Open {
  readonly token: Token | undefined;
  readonly children: ReactNode[];
}

/** What of a text is left to show. */
interface Rest {
  tokens: number;
}

/** Elements for a text, or for its beginning. */
export function format(text: string): { readonly content: ReactNode; readonly isCut: boolean } {
  const rest: Rest = { tokens: tokensMax };
  const content = render(markdown.parse(text, {}), 0, rest);
  return { content, isCut: rest.tokens < 0 };
}

const isCode = ({ type }: Token): boolean => type === "fence" || type === "code_block";

/**
 * Makes elements from a flat list of tokens, in which an element has a token where it opens and one where it closes.
 * @param depth of the element around them
 */
function render(tokens: readonly Token[], depth: number, rest: Rest): ReactNode {
  const top: Open = { token: undefined, children: [] };
  const open: Open[] = [top];
  let tooDeep = 0;
  const close = (key: number) => {
    const closed = open.length > 1 ? open.pop() : undefined;
    if (closed?.token) (open.at(-1) ?? top).children.push(elementOf(closed.token, closed.children, key));
  };
  for (const [index, token] of tokens.entries()) {
    rest.tokens -= isCode(token) ? tokensOfCode : 1;
    if (rest.tokens < 0) break;
    const around = open.at(-1) ?? top;
    const isDeepest = depth + open.length > depthMax;
    if (token.nesting === 1 && isDeepest) tooDeep += 1;
    else if (token.nesting === 1) open.push({ token, children: [] });
    else if (token.nesting === -1 && tooDeep > 0) tooDeep -= 1;
    else if (token.nesting === -1) close(index);
    else if (token.type === "inline")
      around.children.push(<Fragment key={index}>{render(token.children ?? [], depth + open.length, rest)}</Fragment>);
    else around.children.push(leafOf(token, index));
  }
  for (let key = tokens.length; open.length > 1; key += 1) close(key);
  return createElement(Fragment, {}, ...top.children);
}

function elementOf(token: Token, children: readonly ReactNode[], key: number): ReactNode {
  // A list without empty lines between its items has paragraphs that are none.
  if (token.hidden) return <Fragment key={key}>{children}</Fragment>;
  const className = classes[token.tag];
  if (token.tag === "a") return linkOf(String(token.attrGet("href") ?? ""), children, key);
  const start = token.tag === "ol" ? Number(token.attrGet("start") ?? 1) : undefined;
  const alignment = /text-align:(\w+)/.exec(String(token.attrGet("style") ?? ""))?.[1];
  const element = createElement(
    headings[token.tag] ?? token.tag,
    {
      key,
      className,
      ...(start !== undefined && { start }),
      ...(alignment !== undefined && { style: { textAlign: alignment } }),
    },
    ...children,
  );
  return token.tag === "table" ? (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
    <section key={key} aria-label="Table" tabIndex={0} className="overflow-x-auto">
      {element}
    </section>
  ) : (
    element
  );
}

const linkOf = (address: string, children: readonly ReactNode[], key: number): ReactNode =>
  linkPattern.test(address) ? (
    <a key={key} href={address} target="_blank" rel="noreferrer noopener nofollow" className="link">
      {children}
    </a>
  ) : (
    <Fragment key={key}>{children}</Fragment>
  );

function leafOf(token: Token, key: number): ReactNode {
  switch (token.type) {
    case "softbreak":
      return "\n";
    case "hardbreak":
      return <br key={key} />;
    case "hr":
      return <hr key={key} className={classes.hr} />;
    case "code_inline":
      return (
        <code key={key} className="bg-sunken rounded px-1 py-0.5 font-mono text-[0.8125em]">
          {token.content}
        </code>
      );
    case "fence":
    case "code_block":
      return <Code key={key} text={token.content.replace(/\n$/, "")} language={token.info.split(/\s/)[0] || "code"} />;
    case "image":
      // The page loads nothing from other hosts.
      return linkOf(String(token.attrGet("src") ?? ""), [token.content || "Image"], key);
    default:
      return token.content;
  }
}

const Code = ({ text, language }: { text: string; language: string }) => {
  const runs = useRuns(text, language);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
    <section aria-label="Code" tabIndex={0} className="bg-sunken border-line my-3 overflow-x-auto rounded-md border">
      <pre className="w-max min-w-full px-3 py-2.5 font-mono text-[0.8125rem]">
        {cutAtRuns(text, 0, runs).map((piece) => (
          <span key={piece.from} className={piece.classes}>
            {piece.text}
          </span>
        ))}
      </pre>
    </section>
  );
};
