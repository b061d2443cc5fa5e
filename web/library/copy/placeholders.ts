// What the pages say about placeholders.

/** What to say beside a text with placeholders, which are marked in it. */
export const placeholderHint = "When you copy this text, you can fill in the highlighted placeholders.";
