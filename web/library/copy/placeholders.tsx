// What the pages say about placeholders, and how they mark them.
import { cutAtPlaceholders } from "../../../src/library/placeholders.ts";

/** What to say beside a text with placeholders, which are marked in it. */
export const placeholderHint = "When you copy this text, you can fill in the highlighted placeholders.";

/** Its direction is its own, and does not decide that of the paragraph around it. */
export const PlaceholderMark = ({ children }: { children: string }) => (
  <mark dir="auto" className="bg-accent-soft text-accent rounded px-0.5 font-medium">
    {children}
  </mark>
);

/** A text with its placeholders marked. */
export const Placeholders = ({ text }: { text: string }) =>
  cutAtPlaceholders(text).map(({ text: piece, placeholder }, index) =>
    placeholder === undefined ? (
      piece
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no id, and never change places
      <PlaceholderMark key={index}>{piece}</PlaceholderMark>
    ),
  );
