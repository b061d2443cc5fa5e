// The text of a variation, in the colors of its language, with its placeholders marked. Of a very long one the beginning is shown.
import { useEffect, useMemo, useState } from "react";
import { placeholderNames } from "../../../src/library/placeholders.ts";
import { Button } from "../../components/button.tsx";
import { classNames } from "../../components/class-names.ts";
import { formatCount } from "../../components/format.ts";
import { SegmentedControl } from "../../components/segmented-control.tsx";
import { readStored, writeStored } from "../../storage.ts";
import { placeholderHint } from "../copy/placeholders.tsx";
import { isMarkdown, isProse } from "../editor/prose.ts";
import { searched } from "../marks/use-marks.ts";
import { MarkdownPreview } from "../parts.tsx";
import { StyledText } from "./styled-text.tsx";

/** A browser lays out this many characters in a few milliseconds. */
const shownMax = 20_000;
const shownFurther = 100_000;

interface SnippetTextProps {
  readonly text: string;
  readonly contentType: string;
  /** Copying asks for the values of placeholders, and a line says so. */
  readonly isFilledIn?: boolean;
}

export const SnippetText = (props: SnippetTextProps) =>
  isMarkdown(props.contentType) && props.text !== "" ? <MarkdownText {...props} /> : <PlainText {...props} />;

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

function PlainText({ text, contentType, isFilledIn = true }: SnippetTextProps) {
  const [shown, setShown] = useState(shownMax);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text begins with its beginning
  useEffect(() => setShown(shownMax), [text]);
  const beginning = useMemo(() => beginningOf(text, shown), [text, shown]);
  const hasPlaceholders = useMemo(() => placeholderNames(beginning).length > 0, [beginning]);
  if (text === "") return <p className="text-quiet italic">Empty</p>;
  return (
    <>
      <pre
        {...searched("text")}
        dir={isProse(contentType) ? "auto" : "ltr"}
        className={classNames(
          "leading-relaxed wrap-anywhere whitespace-pre-wrap",
          isProse(contentType) ? "max-w-prose font-sans text-[0.9375rem]" : "font-mono text-[0.8125rem]",
        )}
      >
        <StyledText text={beginning} contentType={contentType} />
      </pre>
      {hasPlaceholders && isFilledIn && <p className="text-quiet mt-4 text-xs">{placeholderHint}</p>}
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

/** At most so many characters, never half of one. */
function beginningOf(text: string, max: number): string {
  const last = text.charCodeAt(max - 1);
  const isHalf = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, isHalf ? max - 1 : max);
}
