// Which texts are prose, and which of them Markdown. Small, because reading and copying need it too.

/** The content types of plain text and of Markdown: ours, and those that programs write. */
export const plainTypes = ["plaintext", "text", "text/plain", "plain", "txt"] as const;
export const markdownTypes = ["markdown", "md", "text/markdown", "text/x-markdown"] as const;

const includes = (types: readonly string[], contentType: string): boolean => types.includes(contentType.toLowerCase());

export const isPlain = (contentType: string): boolean => includes(plainTypes, contentType);
export const isMarkdown = (contentType: string): boolean => includes(markdownTypes, contentType);
/** Prose is set in the page's own font, and has no indentation key. */
export const isProse = (contentType: string): boolean => isPlain(contentType) || isMarkdown(contentType);
