// The code panels: a call as a command for curl, and JSON in colours.
import type { OperationObject } from "../../contract/openapi-document.ts";
import { type Html, html } from "./html.ts";

/** Stands for the address of the service until the page's script, which knows it, puts that in its place. */
export const exampleOrigin = "https://localhost:8443";

/** A panel with a title. The script gives it its button for copying. */
export const panel = (title: string, code: Html): Html => html`<figure class="code">
<figcaption>${title}</figcaption>
<pre><code>${code}</code></pre>
</figure>`;

/** The base address as text that the script may correct. */
export const address = (basePath: string): Html => html`<span class="origin">${exampleOrigin}</span>${basePath}`;

/** The operation's example as a command that can be pasted into a shell. */
export function curl(operation: OperationObject, method: string, path: string, basePath: string): Html {
  const query = (operation.parameters ?? [])
    .filter(({ example }) => example !== undefined)
    .map(({ name, example }) => `${name}=${escapedInQuery(String(example))}`)
    .join("&");
  const body = operation.requestBody?.content["application/json"].example;
  // curl sends POST by itself where there is a body, and GET where there is none.
  const isSaid = method !== (body === undefined ? "GET" : "POST");
  const command = html`curl ${isSaid && `-X ${method} `}'${address(basePath)}${path}${query && `?${query}`}' \\`;
  const key = html`  -H "Authorization: Bearer $API_KEY"`;
  if (body === undefined) return lines([command, key]);
  const [first, ...rest] = jsonLines(body, (text) => text.replaceAll("'", "'\\''"));
  const type = html`  -H 'Content-Type: application/json' \\`;
  const [last] = rest.splice(-1);
  return html`${lines([command, html`${key} \\`, type, html`  -d '${first}`])}${lines(rest)}${lines([html`${last}'`])}`;
}

/** The value as indented JSON, each token in its class. */
export const json = (value: unknown): Html => lines(jsonLines(value, (text) => text));

/** Commas and colons are allowed in a query and easier to read as they are. */
const escapedInQuery = (text: string): string => encodeURIComponent(text).replaceAll("%2C", ",").replaceAll("%3A", ":");

/** Each line in an element of its own, which knows how far it is indented: what must wrap is indented a little further. */
const lines = (contents: readonly Html[]): Html =>
  html`${contents.map((line) => html`<span class="line in-${indentOf(line)}">${line}\n</span>`)}`;

const indentOf = ({ markup }: Html): number => Math.min(9, (/^ */.exec(markup)?.[0].length ?? 0) / 2);

const token = /("(?:[^"\\]|\\.)*")(\s*:)?|-?\d+(?:\.\d+)?|true|false|null/g;

/** @param quote what the text round it asks to be escaped */
const jsonLines = (value: unknown, quote: (text: string) => string): Html[] =>
  JSON.stringify(value, null, 2)
    .split("\n")
    .map((line) => {
      const pieces: Html[] = [];
      let end = 0;
      for (const match of line.matchAll(token)) {
        const [whole, string, colon] = match;
        const coloured = html`<span class="${kindOf(string, colon)}">${quote(string ?? whole)}</span>`;
        pieces.push(html`${line.slice(end, match.index)}${coloured}${colon}`);
        end = match.index + whole.length;
      }
      return html`${pieces}${line.slice(end)}`;
    });

const kindOf = (string: string | undefined, colon: string | undefined): string =>
  string === undefined ? "literal" : colon === undefined ? "string" : "key";
