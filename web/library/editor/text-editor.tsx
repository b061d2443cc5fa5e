// The field in which a text is written.
import { historyField } from "@codemirror/commands";
import { EditorState } from "@codemirror/state";
import { EditorView, placeholder } from "@codemirror/view";
import { useEffect, useRef } from "react";
import { classNames } from "../../components/class-names.ts";
import { baseExtensions, showKind, showLanguage, writingExtensions } from "./extensions.ts";
import type { LanguageRow } from "./languages.ts";
import { isProse } from "./prose.ts";

const invitation = "Write or paste the text. Use placeholders such as {{name}} for the parts that change each time.";

/** A text that is being written, with what can be undone in it. */
export const createText = (content: string, contentType: string, label: string): EditorState =>
  EditorState.create(configOf(content, contentType, label));

const configOf = (content: string, contentType: string, label: string) => ({
  doc: content,
  extensions: [...baseExtensions(content, contentType), ...writingExtensions(label), placeholder(invitation)],
});

const kept = { history: historyField };

/** The same text with another label: its selection stays, and what can be undone. */
export const relabelText = (state: EditorState, contentType: string, label: string): EditorState => {
  const { extensions } = configOf(state.sliceDoc(), contentType, label);
  return EditorState.fromJSON(state.toJSON(kept), { extensions }, kept);
};

interface TextEditorProps {
  /** Where to begin. Another text needs another key. */
  readonly initial: EditorState;
  readonly contentType: string;
  /** That of the content type, or for `code` the guessed one. */
  readonly language: LanguageRow | undefined;
  /** Called after each change, also of the selection. */
  readonly onState: (state: EditorState, isChanged: boolean) => void;
  readonly hasFocus?: boolean;
}

export function TextEditor({ initial, contentType, language, onState, hasFocus = false }: TextEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const report = useRef(onState);
  report.current = onState;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the editor keeps its state itself
  useEffect(() => {
    if (!host.current) return;
    const own = new EditorView({
      state: initial,
      parent: host.current,
      dispatchTransactions: (transactions, target) => {
        target.update(transactions);
        report.current(
          target.state,
          transactions.some(({ docChanged }) => docChanged),
        );
      },
    });
    view.current = own;
    if (hasFocus) own.focus();
    return () => own.destroy();
  }, []);
  useEffect(() => {
    if (view.current) showKind(view.current, contentType);
  }, [contentType]);
  useEffect(() => {
    if (view.current) return showLanguage(view.current, language);
  }, [language]);
  return (
    <div
      ref={host}
      className={classNames(
        // Its panels stay below dialogs.
        "isolate min-h-0 min-w-0 flex-1 [&_.cm-editor]:h-full [&_.cm-editor]:min-h-[inherit]",
        isProse(contentType) ? "font-sans text-base sm:text-[0.9375rem]" : "font-mono text-base sm:text-[0.8125rem]",
      )}
    />
  );
}
