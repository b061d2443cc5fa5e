// One operation of the reference: what it does and takes on one side, an example call and its answer on the other.
import type { OperationObject, Schema } from "../../contract/openapi-document.ts";
import { curl, json, panel } from "./code.ts";
import { answerTable, parameterTable, requestTable, type Schemas } from "./fields.ts";
import { type Html, html, prose } from "./html.ts";

/** An operation with the place where the description has it. */
export interface Placed {
  readonly operation: OperationObject;
  readonly method: string;
  readonly path: string;
}

export const badge = (method: string): Html => html`<span class="method ${method.toLowerCase()}">${method}</span>`;

/** The price in a few words. */
export const price = ({ "x-cost": { words } }: OperationObject): string => (words === "1" ? "1 unit" : words);

export const anchor = (id: string, title: string): Html =>
  html`<a class="anchor" href="#${id}" aria-label="Link to ${title}">#</a>`;

export function operationSection({ operation, method, path }: Placed, basePath: string, schemas: Schemas): Html {
  const { operationId, summary, description, parameters, requestBody, responses } = operation;
  const answer = responses[200].content["application/json"];
  const body = requestBody?.content["application/json"].schema;
  return html`<section class="operation split" id="${operationId}" aria-labelledby="${operationId}-title">
<div class="said">
<h3 id="${operationId}-title">${summary}${anchor(operationId, summary)}</h3>
<p class="place">${badge(method)} <code class="path">${path}</code> <span class="cost"><span>Cost</span> ${price(operation)}</span></p>
${description && html`<p>${prose(description)}</p>`}
${parameters && html`<h4>Query</h4>${parameterTable(parameters, `Query parameters of ${method} ${path}`)}`}
${body && html`<h4>Body${!requestBody?.required && html` <span class="optional">optional</span>`}</h4>`}
${requestBody?.description && html`<p>${prose(requestBody.description)}</p>`}
${body && requestTable(body, schemas, `Body of ${method} ${path}`)}
<h4>Answer</h4>
<details><summary>Fields of the answer</summary>${answerTable(withoutEnvelope(answer.schema), schemas, `Answer of ${method} ${path}`)}</details>
<h4>Errors</h4>
<ul class="statuses">${Object.keys(responses)
    .filter((status) => status !== "200")
    .map((status) => html`<li><a href="#status-${status}">${status}</a></li>`)}</ul>
</div>
<div class="shown">
${panel("Request", curl(operation, method, path, basePath))}
${panel("Answer", json(answer.example))}
</div>
</section>`;
}

/** `success` is the same everywhere and told once, in the introduction. */
function withoutEnvelope(schema: Schema): Schema {
  const { success: _, ...properties } = schema.properties ?? {};
  return { ...schema, properties };
}
