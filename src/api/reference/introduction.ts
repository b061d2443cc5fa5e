// What holds for every operation: address, keys, costs, the rate limit, answers, errors. Told once, before the operations.
import { notes } from "../../contract/openapi.ts";
import type { OpenApi, RefusalObject } from "../../contract/openapi-document.ts";
import { address, json, panel } from "./code.ts";
import { nameOf } from "./fields.ts";
import { type Html, html, prose } from "./html.ts";
import { anchor, badge, type Placed, price } from "./operation.ts";

export interface Section {
  readonly id: string;
  readonly title: string;
  readonly content: Html;
}

export function introduction(document: OpenApi, basePath: string, operations: readonly Placed[]): Section[] {
  const { components, paths } = document;
  const told = (title: keyof typeof notes): Html => html`<p>${prose(notes[title])}</p>`;
  const section = (id: string, title: string, said: Html, shown: Html): Section => ({
    id,
    title,
    content: html`<section class="split" id="${id}" aria-labelledby="${id}-title">
<div class="said"><h2 id="${id}-title">${title}${anchor(id, title)}</h2>${said}</div>
<div class="shown">${shown}</div>
</section>`,
  });
  const forbidden = components.responses.Forbidden?.content["application/json"].examples.quota_exceeded?.value;
  const limited = components.responses.TooManyRequests?.content["application/json"].examples.rate_limit_exceeded?.value;
  const deleted = paths["/tags"]?.delete?.responses[200].content["application/json"].example;
  return [
    section(
      "address",
      "Base address",
      html`<p>Every path below is appended to the base address. Ids travel in the query, bodies and answers are JSON in UTF-8.
Only HTTPS is accepted, over HTTP/1.1 or HTTP/2. A query parameter that an operation does not know is ignored, a field of a body that
it does not know is refused.</p>
<p>A service that made its own certificate keeps the authority's beside its data: add <code>--cacert data/tls/ca.crt</code> to
the commands of this page.</p>`,
      panel("Base address", address(basePath)),
    ),
    section(
      "authentication",
      "Authentication",
      html`${told("Authentication")}<p>A key is shown once, when it is made. Deactivating it acts on the next call.</p>
<p>The commands of this page take the key from the shell's variable <code>API_KEY</code>: set it once. With an empty one,
curl over HTTP/2 reports a protocol error instead of an answer.</p>`,
      html`${panel("Header", html`Authorization: Bearer cpl_…`)}${panel("Shell", html`export API_KEY='cpl_…'`)}`,
    ),
    section(
      "costs",
      "Quota and costs",
      html`${told("Quota")}`,
      html`<figure class="code costs"><figcaption>Cost of each operation</figcaption><table>
<thead class="visually-hidden"><tr><th scope="col">Operation</th><th scope="col">Units</th></tr></thead>
<tbody>${operations.map(
        ({ operation, method, path }) =>
          html`<tr><td><a href="#${operation.operationId}">${badge(method)} <code>${path}</code></a></td><td>${price(operation)}</td></tr>`,
      )}</tbody></table></figure>`,
    ),
    section(
      "rate-limit",
      "Rate limit",
      html`${told("Rate limit")}<p>The answers to calls with a valid key say where it stands:</p>
<dl class="headers">${headerList(components.headers, isOfRateLimit)}</dl>`,
      panel("Answer", html`${limitedExample}${json(limited)}`),
    ),
    section(
      "answers",
      "Answers",
      html`<p>A successful answer has status 200 and the same envelope everywhere: <code>success</code>, <code>data</code>,
<code>usage</code> and, where an operation has them, <code>metadata</code> and <code>pagination</code>.</p>
<p>Records have snake_case names, requests and metadata camelCase ones. Timestamps are UTC with milliseconds.
<code>usage.usageDeducted</code> is there where the cost depends on the call.</p>${told("Versions")}
<p>Every answer, a refusal too, has these headers:</p>
<dl class="headers">${headerList(components.headers, (name) => name.startsWith("X-") && !isOfRateLimit(name))}</dl>`,
      panel("Answer", json(deleted)),
    ),
    section(
      "errors",
      "Errors",
      html`<p>A refused call says why: <code>message</code> for people, <code>error</code> for programs. The codes do not change.</p>
<div class="errors">${byStatus(document).map(([status, refusal]) => errorRow(status, refusal))}</div>
<p>A path that does not exist answers 404 with the code <code>not_found</code>, another method 405 with the code
<code>method_not_allowed</code> and the header <code>Allow</code>.</p>`,
      panel("Answer with status 403", json(forbidden)),
    ),
  ];
}

const limitedExample =
  'HTTP/2 429\nretry-after: 7\nratelimit-policy: "default";q=20;w=60\nratelimit: "default";r=0;t=7\n\n';

const isOfRateLimit = (name: string): boolean => name.includes("RateLimit") || name === "Retry-After";

const headerList = (headers: OpenApi["components"]["headers"], isWanted: (name: string) => boolean): Html[] =>
  Object.entries(headers)
    .filter(([name]) => isWanted(name))
    .map(([name, { description }]) => html`<div><dt><code>${name}</code></dt><dd>${prose(description)}</dd></div>`);

function errorRow(status: string, { description, content }: RefusalObject): Html {
  const codes = Object.entries(content["application/json"].examples);
  return html`<section class="error" id="status-${status}">
<h3>${status}</h3>
<div><p>${prose(description)}</p>
<ul>${codes.map(([code, { summary }]) => html`<li><code>${code}</code> <span>${summary}</span></li>`)}</ul></div>
</section>`;
}

/** The refusals that operations refer to, in the order of their status. */
function byStatus({ paths, components }: OpenApi): [string, RefusalObject][] {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const references = operations.flatMap(({ responses }) =>
    Object.entries(responses).flatMap(([status, response]) =>
      "$ref" in response ? [[status, response.$ref] as const] : [],
    ),
  );
  return [...new Map(references)]
    .sort(([a], [b]) => Number(a) - Number(b))
    .flatMap(([status, reference]) => {
      const refusal = components.responses[nameOf(reference)];
      return refusal ? [[status, refusal]] : [];
    });
}
