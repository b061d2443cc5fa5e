// Two texts and what differs between them, side by side or in one column.
import { MergeView, unifiedMergeView } from "@codemirror/merge";
import { EditorState, type Extension, Prec } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView } from "@codemirror/view";
import { useEffect, useRef, useState } from "react";
import { classNames } from "../../components/class-names.ts";
import { baseExtensions, showLanguage, writingExtensions } from "../editor/extensions.ts";
import { languageOf } from "../editor/guess-language.ts";
import { lineSeparatorOf } from "../editor/line-ends.ts";
import { isProse } from "../editor/prose.ts";

export const layouts = ["side", "inline"] as const;
export type Layout = (typeof layouts)[number];

interface Side {
  /** Its accessible name. */
  readonly label: string;
  readonly text: string;
}

interface ComparisonProps {
  /** Undefined where there was no text before: nothing is marked as changed. */
  readonly before: Side | undefined;
  readonly after: Side;
  readonly contentType: string;
  readonly layout: Layout;
  /** Makes the text after editable, with a button at each difference that takes over the text before. */
  readonly onChange?: (text: string) => void;
}

/** Finding the smallest difference of long texts would take seconds; a larger one is right too. */
const diffConfig = { scanLimit: 500, timeout: 300 } as const;
const collapseUnchanged = { margin: 3, minSize: 6 } as const;

/** The library's own colors are too weak for some, and not those of the page. */
const look = Prec.highest(
  EditorView.theme({
    "&.cm-merge-a .cm-changedLine, .cm-deletedChunk": { backgroundColor: "var(--code-removed)" },
    "&.cm-merge-b .cm-changedLine, .cm-inlineChangedLine": { backgroundColor: "var(--code-added)" },
    "&.cm-merge-a .cm-changedText, .cm-deletedChunk .cm-deletedText": {
      background: "var(--code-removed-strong) !important",
    },
    "&.cm-merge-b .cm-changedText": { background: "var(--code-added-strong) !important" },
    "&.cm-merge-b .cm-deletedText": { background: "var(--code-removed-strong) !important" },
    "&.cm-merge-a .cm-changedLineGutter, .cm-deletedLineGutter": { background: "var(--danger) !important" },
    "&.cm-merge-b .cm-changedLineGutter, .cm-inlineChangedLineGutter": { background: "var(--good) !important" },
    ".cm-deletedChunk": { padding: "0 0.75rem" },
    ".cm-deletedChunk .cm-chunkButtons": {
      position: "static",
      display: "flex",
      flexWrap: "wrap",
      gap: "0.5rem",
      padding: "0.375rem 0",
    },
    // Above the library's own rules, which name the buttons too.
    ".cm-deletedChunk .cm-chunkButtons button.cm-mergeControl": {
      backgroundColor: "var(--surface)",
      color: "var(--text)",
      border: "1px solid var(--edge)",
      borderRadius: "0.375rem",
      padding: "0.25rem 0.625rem",
      margin: "0",
      fontFamily: "var(--default-font-family, sans-serif)",
      fontSize: "0.8125rem",
      minHeight: "2.25rem",
    },
    ".cm-collapsedLines": {
      background: "var(--sunken) !important",
      color: "var(--quiet) !important",
      padding: "0.25rem 0.75rem",
      fontSize: "0.75rem",
      // Their glyphs are missing in most fonts.
      "&:before, &:after": { content: "none !important" },
    },
  }),
);

/**
 * A text whose last line ends as all others do. Lines are compared, and one that follows in the other text alone would otherwise change
 * the end of this one.
 */
export const endLine = (text: string): string => (text === "" || endsLine(text) ? text : text + endOf(text));

const endOf = (text: string): string => lineSeparatorOf(text) ?? "\n";
const endsLine = (text: string): boolean => text.endsWith(endOf(text));

/** Behind the end of the last line there is none. */
function hideEnd({ doc }: EditorState): DecorationSet {
  const { number, length, from } = doc.line(doc.lines);
  return number > 1 && length === 0 ? Decoration.set(Decoration.replace({}).range(from - 1, from)) : Decoration.none;
}

const readOnly = (label: string): Extension => [
  EditorView.decorations.compute(["doc"], hideEnd),
  EditorState.readOnly.of(true),
  EditorView.contentAttributes.of({ "aria-label": label, "aria-readonly": "true", tabindex: "0" }),
];

export function Comparison({ before, after, contentType, layout, onChange }: ComparisonProps) {
  const host = useRef<HTMLDivElement>(null);
  const report = useRef(onChange);
  report.current = onChange;
  const isEditable = onChange !== undefined;
  /** The current text. Changing the layout creates a new editor, which starts with it. */
  const latest = useRef(after.text);
  const [endedBefore] = useState(after.text === "" || endsLine(after.text));
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is typed in an editable text must not begin it anew
  useEffect(() => {
    const parent = host.current;
    if (!parent) return;
    const start = endLine(isEditable ? latest.current : after.text);
    const original = before && endLine(before.text);
    const shared = (text: string): Extension => [...baseExtensions(text, contentType), look];
    const changes = EditorView.updateListener.of((update) => {
      if (!update.docChanged) return;
      const text = update.state.sliceDoc();
      // The end that was added here is not theirs who write.
      latest.current = endedBefore || !endsLine(text) ? text : text.slice(0, -endOf(text).length);
      report.current?.(latest.current);
    });
    const own: Extension = isEditable ? [...writingExtensions(after.label), changes] : readOnly(after.label);
    const language = languageOf(contentType, start);
    const collapse = isEditable ? {} : { collapseUnchanged };
    if (before && original !== undefined && layout === "side") {
      const view = new MergeView({
        a: { doc: original, extensions: [shared(original), readOnly(before.label)] },
        b: { doc: start, extensions: [shared(start), own] },
        parent,
        diffConfig,
        ...collapse,
        ...(isEditable && { revertControls: "a-to-b" as const, renderRevertControl }),
      });
      const ends = [view.a, view.b].map((side) => showLanguage(side, language));
      return () => {
        for (const end of ends) end();
        view.destroy();
      };
    }
    const view = new EditorView({
      parent,
      doc: start,
      extensions: [
        shared(start),
        own,
        original !== undefined
          ? [
              EditorView.editorAttributes.of({ class: "cm-merge-b" }),
              unifiedMergeView({
                original,
                diffConfig,
                ...collapse,
                mergeControls: isEditable ? renderMergeControl : false,
              }),
            ]
          : [],
      ],
    });
    const end = showLanguage(view, language);
    return () => {
      end();
      view.destroy();
    };
  }, [before?.text, isEditable ? "" : after.text, contentType, layout, isEditable]);
  return (
    <div
      ref={host}
      className={classNames(
        "isolate min-w-0 [&_.cm-mergeViewEditor]:min-w-0",
        isProse(contentType) ? "font-sans text-[0.9375rem]" : "font-mono text-[0.8125rem]",
      )}
    />
  );
}

function controlOf(text: string): HTMLButtonElement {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = text;
  return button;
}

function renderRevertControl(): HTMLElement {
  const button = controlOf("→");
  button.title = "Use this part of their version";
  button.setAttribute("aria-label", button.title);
  button.className = "cm-takeControl";
  return button;
}

function renderMergeControl(type: "reject" | "accept", act: (event: MouseEvent) => void): HTMLElement {
  const button = controlOf(type === "accept" ? "Keep yours" : "Take theirs");
  button.className = "cm-mergeControl";
  button.onmousedown = act;
  button.onkeydown = (event) => {
    if (event.key === "Enter" || event.key === " ")
      button.dispatchEvent(new MouseEvent("mousedown", { bubbles: true }));
  };
  return button;
}
