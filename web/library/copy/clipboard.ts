// Writes to the clipboard, also what still has to be read.

/**
 * Copies a text. A browser allows it only right after a key or a click, so it gets the text as a promise.
 * @throws where the browser refuses, or the text could not be read
 */
export async function copyText(text: string | Promise<string>): Promise<void> {
  if (typeof text === "string") return navigator.clipboard.writeText(text);
  // The browser reports a failed read as its own refusal; the first error says more.
  const blob = text.then((content) => new Blob([content], { type: "text/plain" }));
  await Promise.all([text, navigator.clipboard.write([new ClipboardItem({ "text/plain": blob })])]);
}
