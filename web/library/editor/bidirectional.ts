// Texts written from right to left in the editors: each line of prose has the direction of its own text.
import { type Extension, Prec, RangeSetBuilder } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, ViewPlugin } from "@codemirror/view";
import { directionOf } from "../direction.ts";

const ownDirection = Decoration.line({ attributes: { dir: "auto" } });

/** Decorates the lines that are drawn; the editor then asks each for its direction. */
const lineDirections = ViewPlugin.define(
  (view) => ({
    lines: drawnLines(view),
    update(update) {
      if (update.docChanged || update.viewportChanged) this.lines = drawnLines(update.view);
    },
  }),
  { decorations: ({ lines }) => lines },
);

function drawnLines(view: EditorView): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  for (const { from, to } of view.visibleRanges)
    for (let at = from; at <= to; ) {
      const line = view.state.doc.lineAt(at);
      builder.add(line.from, line.from, ownDirection);
      at = line.to + 1;
    }
  return builder.finish();
}

/** What was deleted, in a comparison of versions, is drawn without the editor's lines and marks. */
const deletedDirections = ViewPlugin.define((view) => {
  const direct = () =>
    view.requestMeasure({
      read: () => [...view.dom.querySelectorAll<HTMLElement>(".cm-deletedLine")],
      write: (lines) => {
        for (const line of lines) line.dir = directionOf(line.textContent ?? "");
      },
    });
  direct();
  return { update: direct };
});

/** For prose. Code is always written from left to right. */
export const eachLineItsDirection: Extension = [
  EditorView.perLineTextDirection.of(true),
  lineDirections,
  deletedDirections,
];

/**
 * Decorations around pieces, such as placeholders, that have a direction of their own: the cursor moves through them as they are drawn.
 * Each needs the attribute dir="auto".
 */
export const isolated = (decorationsOf: (view: EditorView) => DecorationSet): Extension =>
  Prec.lowest([EditorView.decorations.of(decorationsOf), EditorView.bidiIsolatedRanges.of(decorationsOf)]);
