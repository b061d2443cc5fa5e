// Sample snippets: title, content, note and shortcut are 700 bytes together. All have the same length, so that every response of an
// operation is as long as that of the bare server.

import { searchTextOf } from "./search-texts.ts";

export const batchSize = 100;
/** The text of one snippet, in bytes. */
export const textBytes = 700;

const text = `Hello {{name}},

thank you for your message. I have looked at your order, and the part that was missing leaves our warehouse today: "express",
so it is with you within two days. You do not have to send anything back.

With the part comes a printed label. If you would rather return the whole order, put everything into its box, stick the label
on top and hand it to the next shop that takes parcels.

If something is unclear, answer to this mail or call us: we are here from 9:00 to 18:00.

Kind regards
{{agent}}
`;
const note = "After the second message only";
const shortcut = "/missing";

export function sampleSnippet(index: number, teamId: string) {
  const title = `Order ${String(index).padStart(7, "0")}: the missing part is on its way`;
  const contentBytes = textBytes - title.length - note.length - shortcut.length;
  return { title, content: { type: "plaintext", content: text.padEnd(contentBytes, ".") }, teamId, note, shortcut };
}

/** A snippet with a text like a user's, as long as this to the next line. */
export function sampleOfLength(index: number, teamId: string, contentBytes: number) {
  const { title, shortcut, note, type, content } = searchTextOf(index, contentBytes);
  return { title, content: { type, content }, teamId, note, shortcut };
}
