// What the exporter should know, in the headers of the response, since the body is the file.

export const warningsHeaderName = "X-Export-Warnings";
/** How many snippets have code that the other tool runs. */
export const codeCountHeaderName = "X-Export-Code-Count";
/** Proxies such as nginx allow all headers of a response together 4 KiB by default. */
export const warningsHeaderLengthMax = 2_048;
/** So that a long title does not displace the other warnings. */
const messageLengthMax = 500;

/** What the exporter should know before the file is written anywhere. */
export interface ExportNotes {
  readonly warnings: readonly string[];
  /** How many snippets have code that the other tool runs. */
  readonly codeCount: number;
}

/** The headers that are there only where there is something to say. */
export const exportHeaders = ({ warnings, codeCount }: ExportNotes): Record<string, string> => ({
  ...warningsHeader(warnings),
  ...(codeCount > 0 && { [codeCountHeaderName]: String(codeCount) }),
});

/**
 * A JSON array of strings in ASCII. Whatever does not fit is counted at its end.
 * @returns no header where there are no warnings
 */
export function warningsHeader(messages: readonly string[]): Record<string, string> {
  if (messages.length === 0) return {};
  const texts = messages.map((message) => `"${cut(message)}"`);
  const withFirst = (count: number): string => {
    const more = texts.length - count;
    const rest = more > 0 ? [`"${more} more ${more === 1 ? "warning" : "warnings"}."`] : [];
    return `[${[...texts.slice(0, count), ...rest].join(", ")}]`;
  };
  let count = 0;
  while (count < texts.length && withFirst(count + 1).length <= warningsHeaderLengthMax) count += 1;
  return { [warningsHeaderName]: withFirst(count) };
}

/** At most so much of a text as its JSON in ASCII takes, with … at the cut. */
function cut(message: string): string {
  const whole = asciiOf(message);
  if (whole.length <= messageLengthMax) return whole;
  const ellipsis = asciiOf("…");
  let text = "";
  for (const character of message) {
    const next = text + asciiOf(character);
    if (next.length > messageLengthMax - ellipsis.length) break;
    text = next;
  }
  return text + ellipsis;
}

/** The inside of a JSON string. JSON itself escapes line ends and other control characters. */
const asciiOf = (text: string): string =>
  JSON.stringify(text)
    .slice(1, -1)
    .replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
