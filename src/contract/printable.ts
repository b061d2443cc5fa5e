// Characters that a name must not have: they move the cursor of a terminal, break a line, or change the order in which text is shown.

/** Control characters, line and paragraph separators, and those that set the direction of text. */
export const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/** Whether a text is shown as it is, on one line. */
export const isPrintable = (text: string): boolean => text.search(unprintable) < 0;
