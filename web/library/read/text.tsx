// The text of a variation, with its placeholders marked. Of a very long one the beginning is shown.
import { useEffect, useMemo, useState } from "react";
import { Button } from "../../components/button.tsx";
import { formatCount } from "../../components/format.ts";
import { cutAtPlaceholders } from "../copy/placeholders.ts";

/** A browser lays out this many characters in a few milliseconds. */
const shownMax = 20_000;
const shownFurther = 100_000;

const proseTypes = new Set(["plaintext", "text/plain", "text", "markdown", "text/markdown"]);

export function SnippetText({ text, contentType }: { text: string; contentType: string }) {
  const [shown, setShown] = useState(shownMax);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text begins with its beginning
  useEffect(() => setShown(shownMax), [text]);
  const pieces = useMemo(() => cutAtPlaceholders(beginningOf(text, shown)), [text, shown]);
  if (text === "") return <p className="text-quiet italic">Empty</p>;
  return (
    <>
      <pre
        className={
          proseTypes.has(contentType)
            ? "max-w-prose font-sans text-[0.9375rem] leading-relaxed wrap-anywhere whitespace-pre-wrap"
            : "font-mono text-[0.8125rem] leading-relaxed wrap-anywhere whitespace-pre-wrap"
        }
      >
        {pieces.map(({ text: piece, placeholder }, index) =>
          placeholder === undefined ? (
            piece
          ) : (
            // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no id, and never change places
            <mark key={index} className="bg-accent-soft text-accent rounded px-0.5 font-medium">
              {piece}
            </mark>
          ),
        )}
      </pre>
      {text.length > shown && (
        <div className="border-line text-quiet mt-4 flex flex-wrap items-center gap-3 border-t pt-3">
          <p>
            The first {formatCount(shown)} of {formatCount(text.length)} characters are shown. Copying takes all.
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
