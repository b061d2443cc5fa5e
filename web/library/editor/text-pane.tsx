// A text with its language, and with a preview if it is Markdown.
import type { EditorState } from "@codemirror/state";
import { type ReactNode, useDeferredValue, useMemo, useState } from "react";
import { placeholderNames } from "../../../src/library/placeholders.ts";
import { Button } from "../../components/button.tsx";
import { formatCount } from "../../components/format.ts";
import { SegmentedControl } from "../../components/segmented-control.tsx";
import { textLimits } from "../../limits.ts";
import { placeholderHint } from "../copy/placeholders.tsx";
import { MarkdownPreview } from "../parts.tsx";
import { guessLanguage, languageOf } from "./guess-language.ts";
import { LanguageField } from "./language-field.tsx";
import { languageOfType } from "./languages.ts";
import { isMarkdown } from "./prose.ts";
import { TextEditor } from "./text-editor.tsx";

const beginningMax = 10_000;
/** From here on the length is shown. */
const longFrom = textLimits.contentLengthMax * 0.9;

interface TextPaneProps {
  /** Where to begin. Another text needs another key. */
  readonly initial: EditorState;
  readonly contentType: string;
  readonly onState: (state: EditorState, isChanged: boolean) => void;
  readonly onType: (contentType: string) => void;
  readonly hasFocus?: boolean;
  /** Beside the language. */
  readonly children?: ReactNode;
}

export function TextPane({ initial, contentType, onState, onType, hasFocus, children }: TextPaneProps) {
  const [view, setView] = useState<"write" | "preview">("write");
  const [state, setState] = useState(initial);
  const [newBeginning, setBeginning] = useState(() => beginningOf(initial));
  // Guessing must not delay what is typed.
  const beginning = useDeferredValue(newBeginning);
  const language = useMemo(() => languageOf(contentType, beginning), [contentType, beginning]);
  const hasPlaceholders = useMemo(() => placeholderNames(beginning).length > 0, [beginning]);
  const hasPreview = isMarkdown(contentType);
  const isPreview = hasPreview && view === "preview";
  const length = state.doc.length;
  return (
    <>
      <div className="border-line bg-ground flex min-w-0 flex-wrap items-center gap-x-3 gap-y-2 border-y px-3 py-2 md:px-6">
        <LanguageField contentType={contentType} beginning={beginning} onChange={onType} />
        {hasPreview && (
          <div className="w-40 shrink-0 sm:w-auto">
            <SegmentedControl
              label="View"
              value={view}
              onChange={setView}
              options={[
                { value: "write", label: "Write" },
                { value: "preview", label: "Preview" },
              ]}
            />
          </div>
        )}
        <Suggestion contentType={contentType} beginning={beginning} onType={onType} />
        <div className="ml-auto flex items-center gap-2">
          {length > longFrom && (
            <p className={length > textLimits.contentLengthMax ? "text-danger text-xs" : "text-quiet text-xs"}>
              {formatCount(length)} of {formatCount(textLimits.contentLengthMax)} characters
            </p>
          )}
          {children}
        </div>
      </div>
      {isPreview ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
        <section aria-label="Preview" tabIndex={0} className="min-h-80 flex-1 overflow-y-auto px-3 py-4 md:px-6">
          <MarkdownPreview text={state.sliceDoc()} />
        </section>
      ) : (
        <div className="flex min-h-80 min-w-0 flex-1 flex-col md:px-3">
          <TextEditor
            initial={state}
            contentType={contentType}
            language={language}
            hasFocus={hasFocus || state !== initial}
            onState={(next, isChanged) => {
              onState(next, isChanged);
              // Rendering at each movement of the cursor would be for nothing.
              if (!isChanged && next.doc === state.doc) return;
              setState(next);
              const begins = beginningOf(next);
              if (begins !== newBeginning) setBeginning(begins);
            }}
          />
          {hasPlaceholders && <p className="text-quiet px-3 pb-2 text-xs">{placeholderHint}</p>}
        </div>
      )}
    </>
  );
}

const beginningOf = (state: EditorState): string => state.sliceDoc(0, beginningMax);

/** Offers the language of a text that is said to be plain, and does not look so. */
function Suggestion({
  contentType,
  beginning,
  onType,
}: {
  contentType: string;
  beginning: string;
  onType: (contentType: string) => void;
}) {
  const guessed = languageOfType(contentType)?.id === "plaintext" ? guessLanguage(beginning) : undefined;
  const language = guessed === undefined ? undefined : languageOfType(guessed);
  if (!language) return null;
  return (
    <Button variant="quiet" size="small" onClick={() => onType(language.id)}>
      Looks like {language.name}. Switch to {language.name}
    </Button>
  );
}
