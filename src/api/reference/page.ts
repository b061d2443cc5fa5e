// The reference page for people, made from the description for machines.
import type { OpenApi } from "../../contract/openapi-document.ts";
import { answerTable, words } from "./fields.ts";
import { type Html, html } from "./html.ts";
import { introduction, type Section } from "./introduction.ts";
import { anchor, badge, operationSection, type Placed } from "./operation.ts";

/** The whole page. It asks for `docs/reference.css` and `docs/reference.js` beside it and works without the script. */
export function referencePage(document: OpenApi): string {
  const { info, servers, tags } = document;
  const basePath = (servers[0]?.url ?? "").replace(/\/$/, "");
  const operations = placed(document);
  const sections = introduction(document, basePath, operations);
  const groups = tags.map((tag) => ({
    ...tag,
    operations: operations.filter(({ operation }) => operation.tags[0] === tag.name),
  }));
  const records = recordsOf(document);
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${info.summary}">
<title>${info.title} API reference</title>
<link rel="icon" href="${icon}">
<link rel="stylesheet" href="docs/reference.css">
<script src="docs/reference.js" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="bar"><a class="brand" href="#top">${info.title}</a><button class="menu" type="button" popovertarget="navigation">Menu</button></header>
<div class="page" id="top">
${navigation(info, sections, groups, records)}
<main id="content" tabindex="-1">
<section class="opening"><h1>${info.title} API</h1>
<p class="lead">${info.description.split("\n\n")[0]}</p>
<p>${operations.length} operations, version ${info.version}. For generators and tools there is the same as an <a href="openapi.json">OpenAPI description</a>.</p></section>
${sections.map(({ content }) => content)}
${groups.map(
  (group) => html`<section class="group" id="${idOf(group.name)}" aria-labelledby="${idOf(group.name)}-title">
<h2 id="${idOf(group.name)}-title">${group.name}${anchor(idOf(group.name), group.name)}</h2><p class="lead">${group.description}</p>
${group.operations.map((operation) => operationSection(operation, basePath, document.components.schemas))}
</section>`,
)}
<section class="group records" id="records" aria-labelledby="records-title">
<h2 id="records-title">Records${anchor("records", "Records")}</h2><p class="lead">What answers are made of.</p>
${records.map(
  (
    name,
  ) => html`<section id="record-${name}" aria-labelledby="record-${name}-title"><h3 id="record-${name}-title">${words(name)}${anchor(`record-${name}`, words(name))}</h3>
${answerTable(document.components.schemas[name] ?? {}, document.components.schemas, `Fields of ${words(name)}`)}</section>`,
)}
</section>
<footer><p>${info.title} ${info.version}, MIT license.</p></footer>
</main>
</div>
<p class="visually-hidden" id="told" role="status"></p>
</body>
</html>
`.markup;
}

/** A bookmark, so that browsers need not ask for an icon that is not there. */
const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath fill='%231f6650' d='M3 1h10v14l-5-4-5 4z'/%3E%3C/svg%3E";

const idOf = (resource: string): string => resource.toLowerCase();

const placed = (document: OpenApi): Placed[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ operation, method: method.toUpperCase(), path })),
  );

/** The named shapes that some answer refers to, directly or through another. */
function recordsOf({ paths, components }: OpenApi): string[] {
  const found = new Set<string>();
  const look = (value: object): void => {
    for (const [, name = ""] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (found.has(name)) continue;
      found.add(name);
      look(components.schemas[name] ?? {});
    }
  };
  for (const methods of Object.values(paths))
    for (const { responses } of Object.values(methods)) look(responses[200].content["application/json"].schema);
  return [...found].sort();
}

interface Group {
  readonly name: string;
  readonly operations: readonly Placed[];
}

const navigation = (
  info: OpenApi["info"],
  sections: readonly Section[],
  groups: readonly Group[],
  records: readonly string[],
): Html => html`<nav id="navigation" popover aria-label="Reference">
<div class="top"><a class="brand" href="#top">${info.title}</a> <span class="version">${info.version}</span></div>
<div class="filter" hidden><label class="visually-hidden" for="filter">Filter the operations</label><input id="filter" type="search" placeholder="Filter" autocomplete="off" spellcheck="false"><kbd aria-hidden="true">/</kbd></div>
<div class="entries"><h2>Introduction</h2>
<ul>${sections.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}</ul></div>
${groups.map(
  ({ name, operations }) => html`<div class="entries"><h2><a href="#${idOf(name)}">${name}</a></h2>
<ul>${operations.map(
    ({ operation, method, path }) =>
      html`<li><a class="call" href="#${operation.operationId}" title="${operation.summary}" data-words="${operation.operationId} ${operation.summary}">${badge(method)}<span class="path">${path}</span></a></li>`,
  )}</ul></div>`,
)}
<div class="entries"><h2><a href="#records">Records</a></h2>
<ul>${records.map((name) => html`<li><a href="#record-${name}">${words(name)}</a></li>`)}</ul></div>
<p class="none" hidden>Nothing matches.</p>
</nav>`;
