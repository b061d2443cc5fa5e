// What all editors of texts have in common: look, keys, highlighting.
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { bracketMatching, indentOnInput, indentUnit, type Language, syntaxHighlighting } from "@codemirror/language";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState, type Extension } from "@codemirror/state";
import {
  crosshairCursor,
  Decoration,
  dropCursor,
  EditorView,
  highlightActiveLine,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  MatchDecorator,
  rectangularSelection,
  ViewPlugin,
} from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";
import { placeholderPattern } from "../../../src/library/placeholders.ts";
import { styleNonce } from "../../nonce.ts";
import { eachLineItsDirection, isolated } from "./bidirectional.ts";
import type { LanguageRow } from "./languages.ts";
import { leaveWithTab } from "./leave-with-tab.ts";
import { lineSeparatorOf, withLineEnds } from "./line-ends.ts";
import { isProse } from "./prose.ts";

/** The page's own colors, so that both themes need no other rules. */
const look = EditorView.theme({
  "&": { color: "var(--text)", backgroundColor: "var(--surface)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "inherit", lineHeight: "1.6" },
  ".cm-content": { padding: "0.75rem 0", caretColor: "var(--text)" },
  ".cm-line": { padding: "0 0.75rem" },
  ".cm-gutters": { backgroundColor: "var(--surface)", color: "var(--quiet)", border: "none" },
  ".cm-lineNumbers .cm-gutterElement": { padding: "0 0.25rem 0 0.75rem", minWidth: "2.25rem" },
  ".cm-activeLine": { backgroundColor: "transparent" },
  "&.cm-focused .cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--sunken) 60%, transparent)" },
  "&.cm-focused .cm-content ::selection, .cm-content ::selection": { backgroundColor: "var(--code-selection)" },
  ".cm-selectionMatch": { backgroundColor: "var(--accent-soft)" },
  ".cm-searchMatch": { backgroundColor: "var(--mark)", outline: "none" },
  ".cm-searchMatch.cm-searchMatch-selected": { outline: "2px solid var(--accent)", backgroundColor: "var(--mark)" },
  "&.cm-focused .cm-matchingBracket, &.cm-focused .cm-nonmatchingBracket": {
    backgroundColor: "transparent",
    outline: "1px solid var(--edge)",
    color: "inherit",
  },
  ".cm-specialChar": { color: "var(--danger)" },
  ".cm-cursor, .cm-dropCursor": { borderLeftColor: "var(--text)" },
  ".cm-panels": { backgroundColor: "var(--sunken)", color: "var(--text)", fontFamily: "var(--default-font-family)" },
  ".cm-panels.cm-panels-top": { borderBottom: "1px solid var(--line)" },
  ".cm-panels.cm-panels-bottom": { borderTop: "none", backgroundColor: "var(--surface)" },
  ".cm-tabHint": { padding: "0.25rem 0.75rem", color: "var(--quiet)", font: "0.75rem/1.5 var(--default-font-family)" },
  ".cm-tabHint-leaving": { backgroundColor: "var(--accent-soft)", color: "var(--text)", fontWeight: "500" },
  ".cm-panel.cm-search": {
    padding: "0.5rem 2.25rem 0.5rem 0.75rem",
    display: "flex",
    flexWrap: "wrap",
    gap: "0.375rem",
    alignItems: "center",
  },
  ".cm-panel.cm-search br": { display: "none" },
  ".cm-panel.cm-search label": { display: "inline-flex", alignItems: "center", gap: "0.25rem", fontSize: "0.8125rem" },
  ".cm-textfield": {
    backgroundColor: "var(--surface)",
    border: "1px solid var(--edge)",
    borderRadius: "0.375rem",
    padding: "0.25rem 0.5rem",
    margin: "0",
    fontSize: "0.8125rem",
  },
  ".cm-button": {
    backgroundImage: "none",
    backgroundColor: "var(--surface)",
    border: "1px solid var(--edge)",
    borderRadius: "0.375rem",
    padding: "0.25rem 0.625rem",
    margin: "0",
    fontSize: "0.8125rem",
    "&:active": { backgroundImage: "none", backgroundColor: "var(--hover)" },
  },
  ".cm-panel.cm-search [name=close]": {
    color: "var(--text)",
    top: "0.375rem",
    right: "0.5rem",
    width: "1.75rem",
    height: "1.75rem",
  },
  ".cm-placeholder": { color: "var(--quiet)" },
  ".cm-placeholderName": { backgroundColor: "var(--accent-soft)", color: "var(--accent)", borderRadius: "0.25rem" },
  // Inside a placeholder, the color of the language would be too weak.
  ".cm-placeholderName span": { color: "inherit" },
});

/** The words of the search panel, as the console writes them. */
const phrases = EditorState.phrases.of({
  next: "Next",
  previous: "Previous",
  all: "Select all",
  "match case": "Match case",
  regexp: "Regular expression",
  "by word": "Whole words",
  replace: "Replace",
  "replace all": "Replace all",
});

const placeholderMark = Decoration.mark({ class: "cm-placeholderName", attributes: { dir: "auto" } });
const placeholderMatcher = new MatchDecorator({ regexp: placeholderPattern, decoration: () => placeholderMark });
/** Marks `{{name}}`, which copying asks a value for. */
const placeholders = ViewPlugin.define(
  (view) => ({
    decorations: placeholderMatcher.createDeco(view),
    update(update) {
      this.decorations = placeholderMatcher.updateDeco(update, this.decorations);
    },
  }),
  { provide: (plugin) => isolated((view) => view.plugin(plugin)?.decorations ?? Decoration.none) },
);

/** What depends on the language. */
const languageSlot = new Compartment();
const kindSlot = new Compartment();

const kindOf = (contentType: string): Extension =>
  isProse(contentType)
    ? [
        EditorView.contentAttributes.of({ spellcheck: "true", autocapitalize: "sentences", autocorrect: "on" }),
        eachLineItsDirection,
      ]
    : [lineNumbers(), bracketMatching(), indentOnInput(), indentUnit.of("  "), leaveWithTab];

/** For every text that is shown by an editor, also for one that cannot be changed. */
export function baseExtensions(text: string, contentType: string): readonly Extension[] {
  const separator = lineSeparatorOf(text);
  return [
    ...(styleNonce === undefined ? [] : [EditorView.cspNonce.of(styleNonce)]),
    ...(separator === undefined ? [] : [EditorState.lineSeparator.of(separator)]),
    EditorView.clipboardInputFilter.of((pasted, state) => withLineEnds(pasted, state.lineBreak)),
    EditorView.lineWrapping,
    highlightSpecialChars(),
    syntaxHighlighting(classHighlighter),
    placeholders,
    look,
    languageSlot.of([]),
    kindSlot.of(kindOf(contentType)),
  ];
}

/** For a text that is written. @param label its accessible name */
export const writingExtensions = (label: string): readonly Extension[] => [
  history(),
  dropCursor(),
  EditorState.allowMultipleSelections.of(true),
  rectangularSelection(),
  crosshairCursor(),
  highlightActiveLine(),
  highlightSelectionMatches(),
  search({ top: true }),
  phrases,
  keymap.of([...defaultKeymap, ...searchKeymap, ...historyKeymap]),
  EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
];

/**
 * Shows the text in a language, as soon as the script of that language is loaded.
 * @returns a function that ends this, for a text that gets another one
 */
export function showLanguage(view: EditorView, language: LanguageRow | undefined): () => void {
  let isWanted = true;
  const show = (loaded: Language | undefined) => {
    if (isWanted) view.dispatch({ effects: languageSlot.reconfigure(loaded ?? []) });
  };
  // Without its script, the text is shown in one color.
  if (language?.load) language.load().then(show, () => show(undefined));
  else show(undefined);
  return () => {
    isWanted = false;
  };
}

/** Prose and code are written differently. */
export const showKind = (view: EditorView, contentType: string): void =>
  view.dispatch({ effects: kindSlot.reconfigure(kindOf(contentType)) });
