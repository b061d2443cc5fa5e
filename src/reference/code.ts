// The code panels: a call as a command for curl, and JSON in colours.
import type { OperationObject } from "../contract/openapi.ts";
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
  const lines = [
    html`curl ${isSaid && `-X ${method} `}'${address(basePath)}${path}${query && `?${query}`}'`,
    html`  -H "Authorization: Bearer $API_KEY"`,
    ...(body === undefined
      ? []
      : [
          html`  -H 'Content-Type: application/json'`,
          html`  -d '${json(body, (text) => text.replaceAll("'", "'\\''"))}'`,
        ]),
  ];
  return html`${lines.map((line, index) => html`${index > 0 && " \\\n"}${line}`)}`;
}

/** Commas and colons are allowed in a query and easier to read as they are. */
const escapedInQuery = (text: string): string => encodeURIComponent(text).replaceAll("%2C", ",").replaceAll("%3A", ":");

const token = /("(?:[^"\\]|\\.)*")(\s*:)?|-?\d+(?:\.\d+)?|true|false|null/g;

/** The value as indented JSON, each token in its class. @param quote what the text around it asks to be escaped */
export function json(value: unknown, quote: (text: string) => string = (text) => text): Html {
  const source = JSON.stringify(value, null, 2);
  const pieces: Html[] = [];
  let end = 0;
  for (const match of source.matchAll(token)) {
    const [whole, string, colon] = match;
    pieces.push(
      html`${source.slice(end, match.index)}${coloured(quote(string ?? whole), kindOf(string, colon))}${colon}`,
    );
    end = match.index + whole.length;
  }
  return html`${pieces}${source.slice(end)}`;
}

const kindOf = (string: string | undefined, colon: string | undefined): string =>
  string === undefined ? "literal" : colon === undefined ? "string" : "key";

const coloured = (text: string, kind: string): Html => html`<span class="${kind}">${text}</span>`;
