// The text of a variation, in the colors of its language, with its placeholders marked. Of a very long one the beginning is shown.
import { useEffect, useMemo, useState } from "react";
import { cutAtPlaceholders, type Piece } from "../../../src/library/placeholders.ts";
import { Button } from "../../components/button.tsx";
import { formatCount } from "../../components/format.ts";
import { SegmentedControl } from "../../components/segmented-control.tsx";
import { readStored, writeStored } from "../../storage.ts";
import { placeholderHint } from "../copy/placeholders.ts";
import { cutAtRuns, useRuns } from "../editor/use-runs.ts";
import { searched } from "../marks/use-marks.ts";
import { MarkdownPreview } from "../parts.tsx";

/** A browser lays out this many characters in a few milliseconds. */
const shownMax = 20_000;
const shownFurther = 100_000;

const markdownTypes = new Set(["markdown", "md", "text/markdown"]);
const proseTypes = new Set(["plaintext", "text/plain", "text", ...markdownTypes]);

interface SnippetTextProps {
  readonly text: string;
  readonly contentType: string;
}

export const SnippetText = (props: SnippetTextProps) =>
  markdownTypes.has(props.contentType) && props.text !== "" ? <MarkdownText {...props} /> : <PlainText {...props} />;

const viewKey = "commonplace-markdown";

/** Markdown as it is written, which copying takes, or formatted. The choice is remembered. */
function MarkdownText(props: SnippetTextProps) {
  const [view, setView] = useState<"source" | "formatted">(() =>
    readStored(viewKey) === "formatted" ? "formatted" : "source",
  );
  return (
    <div className="grid min-w-0 gap-4">
      <div className="w-56 sm:w-auto">
        <SegmentedControl
          label="View"
          value={view}
          onChange={(next) => {
            setView(next);
            writeStored(viewKey, next === "formatted" ? next : null);
          }}
          options={[
            { value: "source", label: "Source" },
            { value: "formatted", label: "Formatted" },
          ]}
        />
      </div>
      {view === "formatted" ? (
        <div {...searched("text")}>
          <MarkdownPreview text={props.text} />
        </div>
      ) : (
        <PlainText {...props} />
      )}
    </div>
  );
}

function PlainText({ text, contentType }: SnippetTextProps) {
  const [shown, setShown] = useState(shownMax);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text begins with its beginning
  useEffect(() => setShown(shownMax), [text]);
  const beginning = useMemo(() => beginningOf(text, shown), [text, shown]);
  const runs = useRuns(beginning, contentType);
  const pieces = useMemo(() => placed(cutAtPlaceholders(beginning)), [beginning]);
  if (text === "") return <p className="text-quiet italic">Empty</p>;
  return (
    <>
      <pre
        {...searched("text")}
        className={
          proseTypes.has(contentType)
            ? "max-w-prose font-sans text-[0.9375rem] leading-relaxed wrap-anywhere whitespace-pre-wrap"
            : "font-mono text-[0.8125rem] leading-relaxed wrap-anywhere whitespace-pre-wrap"
        }
      >
        {pieces.map(({ text: piece, from, placeholder }) =>
          placeholder === undefined ? (
            cutAtRuns(piece, from, runs).map((styled) =>
              styled.classes === undefined ? (
                styled.text
              ) : (
                <span key={styled.from} className={styled.classes}>
                  {styled.text}
                </span>
              ),
            )
          ) : (
            <mark key={from} className="bg-accent-soft text-accent rounded px-0.5 font-medium">
              {piece}
            </mark>
          ),
        )}
      </pre>
      {pieces.some(({ placeholder }) => placeholder !== undefined) && (
        <p className="text-quiet mt-4 text-xs">{placeholderHint}</p>
      )}
      {text.length > shown && (
        <div className="border-line text-quiet mt-4 flex flex-wrap items-center gap-3 border-t pt-3">
          <p>
            Showing the first {formatCount(shown)} of {formatCount(text.length)} characters. Copying includes the full
            text.
          </p>
          <Button size="small" onClick={() => setShown(shown + shownFurther)}>
            Show more
          </Button>
        </div>
      )}
    </>
  );
}

/** Pieces with the place where each begins. */
function placed(pieces: readonly Piece[]): readonly (Piece & { readonly from: number })[] {
  let from = 0;
  return pieces.map((piece) => {
    const own = { ...piece, from };
    from += piece.text.length;
    return own;
  });
}

/** At most so many characters, never half of one. */
function beginningOf(text: string, max: number): string {
  const last = text.charCodeAt(max - 1);
  const isHalf = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, isHalf ? max - 1 : max);
}
