// A text in the colors of its language, with its placeholders marked.
import { Fragment, useMemo } from "react";
import { cutAtPlaceholders, type Piece } from "../../../src/library/placeholders.ts";
import { PlaceholderMark } from "../copy/placeholders.tsx";
import { cutAtRuns, useRuns } from "../editor/use-runs.ts";

/** @param text not longer than what is shown: all of it is parsed */
export function StyledText({ text, contentType }: { text: string; contentType: string }) {
  const runs = useRuns(text, contentType);
  const pieces = useMemo(() => placed(cutAtPlaceholders(text)), [text]);
  return pieces.map(({ text: piece, from, placeholder }) =>
    placeholder === undefined ? (
      <Fragment key={from}>
        {cutAtRuns(piece, from, runs).map((styled) =>
          styled.classes === undefined ? (
            styled.text
          ) : (
            <span key={styled.from} className={styled.classes}>
              {styled.text}
            </span>
          ),
        )}
      </Fragment>
    ) : (
      <PlaceholderMark key={from}>{piece}</PlaceholderMark>
    ),
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
