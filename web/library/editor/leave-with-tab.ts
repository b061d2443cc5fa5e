// In code, Tab indents. Esc lets it leave the text until the next key, and a line below the text says so.
import { indentLess, indentMore } from "@codemirror/commands";
import { EditorState, type Extension, Prec, StateEffect, StateField } from "@codemirror/state";
import { type Command, EditorView, keymap, type Panel, showPanel } from "@codemirror/view";

const tabIndents = "Tab indents. Press Esc, then Tab, to leave the editor.";
const tabLeaves = "Tab now moves to the next field. To keep writing, press any other key.";

const setLeaving = StateEffect.define<boolean>();
const leaving = StateField.define<boolean>({
  create: () => false,
  update: (before, { effects }) => effects.find((effect) => effect.is(setLeaving))?.value ?? before,
});

const modifiers: ReadonlySet<string> = new Set(["Shift", "Control", "Alt", "Meta"]);

const unlessLeaving =
  (command: Command): Command =>
  (view) =>
    !view.state.field(leaving) && command(view);

const startLeaving = (view: EditorView): boolean => {
  // A text that cannot be changed has no use for Tab.
  if (view.state.readOnly) return false;
  view.dispatch({ effects: [setLeaving.of(true), EditorView.announce.of(tabLeaves)] });
  return true;
};

function endLeaving(view: EditorView): void {
  if (view.state.field(leaving)) view.dispatch({ effects: setLeaving.of(false) });
}

const hint = ({ state }: EditorView): Panel => {
  const dom = document.createElement("p");
  dom.className = "cm-tabHint";
  const show = (isLeaving: boolean) => {
    dom.textContent = isLeaving ? tabLeaves : tabIndents;
    dom.classList.toggle("cm-tabHint-leaving", isLeaving);
  };
  show(state.field(leaving));
  return { dom, update: (update) => show(update.state.field(leaving)) };
};

/** Tab indents, and Esc before it leaves the text. */
export const leaveWithTab: Extension = [
  leaving,
  keymap.of([{ key: "Tab", run: unlessLeaving(indentMore), shift: unlessLeaving(indentLess) }]),
  // Escape first closes the search and ends a selection of several places.
  Prec.lowest(keymap.of([{ key: "Escape", run: startLeaving }])),
  EditorView.domEventObservers({
    keydown: ({ key }, view) => {
      if (key !== "Tab" && key !== "Escape" && !modifiers.has(key)) endLeaving(view);
    },
    pointerdown: (_, view) => endLeaving(view),
  }),
  EditorView.focusChangeEffect.of((_, isFocused) => (isFocused ? null : setLeaving.of(false))),
  showPanel.compute([EditorState.readOnly], (state) => (state.readOnly ? null : hint)),
];
