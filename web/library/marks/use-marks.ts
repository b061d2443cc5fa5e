// Marks in the open snippet all that the query finds. The browser paints the marks over the text, whose elements stay as they are: the
// colors of code, placeholders and formatted Markdown.
import { type RefObject, useEffect } from "react";
import { readPieces, type SearchQuery } from "../../../src/library/search/pieces.ts";
import { placesIn, type Searched } from "./places.ts";

/** Of an element whose text is searched. */
export const searched = (what: Searched) => ({ "data-searched": what });

/** As in the style sheet. */
const highlightName = "match";
/** A browser paints these in a few milliseconds. */
const marksMax = 5_000;

/** @param root an element that stays as long as the component is mounted */
export function useMarks(root: RefObject<HTMLElement | null>, query: string): void {
  useEffect(() => {
    const element = root.current;
    const pieces = readPieces(query);
    // Old browsers cannot.
    if (!element || pieces.wanted.length === 0 || !("highlights" in CSS)) return;
    const highlight = new Highlight();
    CSS.highlights.set(highlightName, highlight);
    const mark = () => {
      highlight.clear();
      const parts = [...element.querySelectorAll<HTMLElement>("[data-searched]")];
      for (const range of parts.flatMap((part) => rangesIn(part, pieces)).slice(0, marksMax)) highlight.add(range);
    };
    // Colors arrive later than the text, and another snippet takes the place of this one.
    const observer = new MutationObserver(mark);
    observer.observe(element, { childList: true, characterData: true, subtree: true });
    mark();
    return () => {
      observer.disconnect();
      CSS.highlights.delete(highlightName);
    };
  }, [root, query]);
}

const blocks = "p, li, h1, h2, h3, h4, h5, h6, td, th, pre, blockquote, div";

function rangesIn(part: HTMLElement, query: SearchQuery): readonly Range[] {
  const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
  const nodes: { readonly node: Node; readonly from: number }[] = [];
  let text = "";
  let block: Element | null = null;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const own = node.parentElement?.closest(blocks) ?? null;
    // The last word of a paragraph and the first one of the next are two.
    if (text !== "" && own !== block) text += "\n";
    block = own;
    nodes.push({ node, from: text.length });
    text += node.textContent;
  }
  let index = 0;
  const pointAt = (place: number): [Node, number] => {
    while ((nodes[index + 1]?.from ?? Number.POSITIVE_INFINITY) <= place) index += 1;
    const { node, from } = nodes[index] ?? { node: part, from: place };
    return [node, Math.min(place - from, node.textContent?.length ?? 0)];
  };
  // An element says what it is with `searched`.
  return placesIn(part.dataset.searched as Searched, text, query).map(([start, end]) => {
    const range = new Range();
    range.setStart(...pointAt(start));
    range.setEnd(...pointAt(end));
    return range;
  });
}
