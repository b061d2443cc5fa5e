// The Markdown preview of a text that is meant to do harm: a browser gets neither thousands of elements in each other nor too many.
import "../support/once.ts";
import { expect, test } from "bun:test";
import { isValidElement, type ReactNode } from "react";
import { format } from "../../web/library/markdown/preview.tsx";

/** What React would make: how deep, how many, and the text. */
function measure(node: ReactNode): { depth: number; count: number; text: string } {
  const found = { depth: 0, count: 0, text: "" };
  const open: [ReactNode, number][] = [[node, 0]];
  for (let each = open.pop(); each; each = open.pop()) {
    const [current, depth] = each;
    if (Array.isArray(current))
      open.push(...current.toReversed().map((one: ReactNode): [ReactNode, number] => [one, depth]));
    else if (isValidElement<{ children?: ReactNode }>(current)) {
      const isElement = typeof current.type === "string";
      found.count += 1;
      found.depth = Math.max(found.depth, depth + (isElement ? 1 : 0));
      open.push([current.props.children, depth + (isElement ? 1 : 0)]);
    } else if (typeof current === "string") found.text += current;
  }
  return found;
}

const length = 100_000;
const filled = (unit: string) => unit.repeat(length / unit.length);

test("what is nested too deeply is shown without its own format, and nothing of the text is missing", () => {
  for (const [open, close] of [
    ["*a ", " b*"],
    ["**a ", " b**"],
    ["~~a ", " b~~"],
    ["*a _c ", " d_ b*"],
  ] as const) {
    const times = 1_000;
    const { content, isCut } = format(`${open.repeat(times)}middle${close.repeat(times)}`);
    const { depth, text } = measure(content);
    expect(isCut).toBe(false);
    expect(depth).toBeLessThanOrEqual(100);
    expect(text.match(/[a-z]/g)?.length).toBe(6 + (open.match(/[a-z]/g)?.length ?? 0) * times * 2);
  }
  for (const unit of ["> ", "- ", "1. "]) expect(measure(format(filled(unit)).content).depth).toBeLessThanOrEqual(100);
});

test("a text that would be too many elements is cut, and a long usual text is not", () => {
  const row = `${"|a".repeat(300)}|\n`;
  for (const text of [
    row + row.replaceAll("a", "-") + row.repeat(length / row.length),
    filled("|a|\n|-|\n"),
    filled("- a\n"),
    filled("*_"),
    filled("~~~\n~~~\n"),
  ]) {
    const { content, isCut } = format(text);
    expect(isCut).toBe(true);
    expect(measure(content).count).toBeLessThan(60_000);
  }
  const usual = `# Heading\n\nA *sentence* with \`code\`, a [link](https://example.com), and more words than that.\n\n- item\n- item\n\n`;
  expect(format(filled(usual).slice(0, 60_000)).isCut).toBe(false);
});
