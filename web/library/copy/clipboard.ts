// Writes to the clipboard, also what still has to be read.

/** What a place gets that takes formatted text, and every other place. */
interface Copied {
  readonly text: string;
  /** Without it, formatted places get the text as it is. */
  readonly html?: string | undefined;
}

/**
 * Copies what is being read. A browser allows it only right after a key or a click, so call it there, before anything is awaited.
 * @param hasHtml whether there will be HTML, which has to be said at once
 * @throws where the browser refuses, and what the promise throws
 */
export async function copyContent(content: Promise<Copied>, hasHtml: boolean): Promise<void> {
  const blob = (type: string, of: (copied: Copied) => string) =>
    content.then((copied) => new Blob([of(copied)], { type }));
  const item = new ClipboardItem({
    "text/plain": blob("text/plain", ({ text }) => text),
    ...(hasHtml && { "text/html": blob("text/html", ({ text, html }) => html ?? toPlainHtml(text)) }),
  });
  // The browser reports a failed read as its own refusal; the first error says more.
  await Promise.all([content, navigator.clipboard.write([item])]);
}

const toPlainHtml = (text: string): string => {
  const element = document.createElement("pre");
  element.textContent = text;
  return element.outerHTML;
};
