// Which texts are prose, and which of them Markdown. Small, because reading and copying need it too.

/** What programs write in place of our content types of plain text and of Markdown. */
export const plainAliases = ["text", "text/plain", "plain", "txt"] as const;
export const markdownAliases = ["md", "text/markdown", "text/x-markdown"] as const;

const isOneOf = (contentType: string, ...types: readonly string[]): boolean =>
  types.includes(contentType.toLowerCase());

export const isPlain = (contentType: string): boolean => isOneOf(contentType, "plaintext", ...plainAliases);
export const isMarkdown = (contentType: string): boolean => isOneOf(contentType, "markdown", ...markdownAliases);
/** Prose is set in the page's own font, and has no indentation key. */
export const isProse = (contentType: string): boolean => isPlain(contentType) || isMarkdown(contentType);
