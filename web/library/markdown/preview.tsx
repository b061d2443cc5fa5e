// Shows Markdown formatted.
import { createElement, Fragment, type ReactNode, useDeferredValue, useMemo } from "react";
import { classNames } from "../../components/class-names.ts";
import { Placeholders } from "../copy/placeholders.tsx";
import { StyledText } from "../read/styled-text.tsx";
import { type MarkdownElement, type MarkdownNode, parseMarkdown } from "./tree.ts";

/** A browser shows this much in a moment: characters, and what they are formatted as. */
const shownMax = 100_000;
const tokensMax = 30_000;

const classes: Readonly<Record<string, string>> = {
  h1: "mt-6 mb-2 text-xl font-semibold first:mt-0",
  h2: "mt-5 mb-2 text-lg font-semibold first:mt-0",
  h3: "mt-4 mb-1.5 text-base font-semibold first:mt-0",
  h4: "mt-4 mb-1.5 font-semibold first:mt-0",
  h5: "mt-4 mb-1.5 font-semibold first:mt-0",
  h6: "text-quiet mt-4 mb-1.5 font-semibold first:mt-0",
  p: "my-2.5 first:mt-0 last:mb-0",
  ul: "my-2.5 list-disc ps-6",
  ol: "my-2.5 list-decimal ps-6",
  li: "my-1",
  blockquote: "border-line text-quiet my-3 border-s-3 ps-3.5",
  table: "my-3 border-collapse text-start",
  th: "border-line bg-sunken border px-2.5 py-1.5 font-medium",
  td: "border-line border px-2.5 py-1.5",
  hr: "border-line my-5 border-t",
  s: "line-through",
  code: "bg-sunken rounded px-1 py-0.5 font-mono text-[0.8125em]",
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

/** Elements for a text, or for its beginning. */
export function format(text: string): { readonly content: ReactNode; readonly isCut: boolean } {
  const { nodes, isCut } = parseMarkdown(text, tokensMax);
  return { content: render(nodes), isCut };
}

const render = (nodes: readonly MarkdownNode[]): ReactNode => createElement(Fragment, {}, ...nodes.map(renderNode));

function renderNode(node: MarkdownNode, key: number): ReactNode {
  if (typeof node !== "string") return renderElement(node, key);
  return node.includes("{{") ? <Placeholders key={key} text={node} /> : node;
}

function renderElement({ tag, children, dir, href, start, align, language }: MarkdownElement, key: number): ReactNode {
  if (tag === "pre") return <Code key={key} text={children.join("")} language={language ?? "code"} />;
  if (href !== undefined)
    return (
      <a key={key} href={href} target="_blank" rel="noreferrer noopener nofollow" className="link">
        {render(children)}
      </a>
    );
  const element = createElement(
    headings[tag] ?? tag,
    {
      key,
      className: classes[tag],
      ...(dir !== undefined && { dir }),
      ...(start !== undefined && { start }),
      ...(align !== undefined && { style: { textAlign: align } }),
    },
    ...children.map(renderNode),
  );
  return tag === "table" ? (
    <Scrollable key={key} label="Table">
      {element}
    </Scrollable>
  ) : (
    element
  );
}

const Code = ({ text, language }: { text: string; language: string }) => (
  <Scrollable label="Code" className="bg-sunken border-line my-3 rounded-md border">
    <pre dir="ltr" className="w-max min-w-full px-3 py-2.5 font-mono text-[0.8125rem]">
      <StyledText text={text} contentType={language} />
    </pre>
  </Scrollable>
);

/** A part that keyboards can scroll. It is a group, because a text can have many, and regions need different names. */
const Scrollable = ({ label, className, children }: { label: string; className?: string; children: ReactNode }) => (
  // biome-ignore lint/a11y/useSemanticElements: tables and code are not sets of fields
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable part must be reachable by keyboard
  <div role="group" aria-label={label} tabIndex={0} className={classNames("overflow-x-auto", className)}>
    {children}
  </div>
);
