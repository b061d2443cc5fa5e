// Tables of parameters and fields: what each is called, what it may be, and what the service makes of its absence.
import type { Parameter, Schema } from "../../contract/openapi-document.ts";
import { type Html, html, prose } from "./html.ts";

interface Row {
  /** Names of the objects round it, each with its dot. */
  readonly within: string;
  readonly name: string;
  readonly aliases: readonly string[];
  readonly schema: Schema;
  readonly isRequired: boolean;
  readonly description: string | undefined;
}

/** The named shapes of the description, by the place where it refers to them. */
export type Schemas = Readonly<Record<string, Schema>>;

/** The name at the end of a reference. */
export const nameOf = (reference: string): string => reference.slice(reference.lastIndexOf("/") + 1);

/** `SnippetDetail` → `Snippet detail`. */
export const words = (name: string): string =>
  name.replace(/[A-Z]/g, (letter, at: number) => (at === 0 ? letter : ` ${letter.toLowerCase()}`));

export const parameterTable = (parameters: readonly Parameter[], caption: string): Html =>
  table(
    parameters.map(({ name, schema, required, description, "x-aliases": aliases = [] }) => ({
      within: "",
      name,
      aliases,
      schema,
      isRequired: required,
      // The other names have their own place in the table.
      description: description.replace(/ Also accepted as .*$/, ""),
    })),
    caption,
    true,
  );

/** The fields of a request, those of its inner objects included. */
export const requestTable = (schema: Schema, schemas: Schemas, caption: string): Html =>
  table(rowsOf(schema, schemas, true), caption, true);

/** The fields of an answer. Named shapes have their own table and are linked, and no field is ever missing unless it says so. */
export const answerTable = (schema: Schema, schemas: Schemas, caption: string): Html =>
  table(rowsOf(schema, schemas, false), caption, false);

function rowsOf(schema: Schema, schemas: Schemas, isOpened: boolean, within = ""): Row[] {
  const { properties = {}, required = [] } = isOpened ? resolved(schema, schemas) : schema;
  return Object.entries(properties).flatMap(([name, field]) => {
    const own = { within, name, aliases: [], schema: field, isRequired: required.includes(name) };
    const value = candidate(field);
    const inner = value.items ? rowsOf(value.items, schemas, isOpened, `${within}${name}[].`) : [];
    return [
      { ...own, description: field.description },
      ...inner,
      ...rowsOf(value, schemas, isOpened, `${within}${name}.`),
    ];
  });
}

const resolved = (schema: Schema, schemas: Schemas): Schema =>
  schema.$ref === undefined ? schema : (schemas[nameOf(schema.$ref)] ?? {});

/** What a field may be besides null. */
const candidate = (schema: Schema): Schema => schema.anyOf?.find(({ type }) => type !== "null") ?? schema;

// The roles say again what the elements are: where the table is laid out as a list, on small screens, browsers forget it.
const table = (
  rows: readonly Row[],
  caption: string,
  isRequest: boolean,
): Html => html`<table class="fields" role="table">
<caption class="visually-hidden">${caption}</caption>
<thead role="rowgroup"><tr role="row"><th scope="col" role="columnheader">Name</th><th scope="col" role="columnheader">Type</th><th scope="col" role="columnheader">Description</th></tr></thead>
<tbody role="rowgroup">${rows.map((row) => rowHtml(row, isRequest))}</tbody>
</table>`;

function rowHtml({ within, name, aliases, schema, isRequired, description }: Row, isRequest: boolean): Html {
  const initial =
    schema.default === undefined ? undefined : html`<span class="default">Default ${String(schema.default)}</span>`;
  const need = isRequest
    ? isRequired
      ? html`<span class="required">required</span>`
      : html`<span class="optional">optional</span>`
    : !isRequired && html`<span class="optional">not always</span>`;
  const rules = [description && prose(description), rule(candidate(schema)) && prose(rule(candidate(schema)))];
  return html`<tr role="row">
<th scope="row" role="rowheader"><code>${breakable(within, true)}${breakable(name, false)}</code>${aliases.map((alias) => html`<span class="alias">or <code>${alias}</code></span>`)}</th>
<td role="cell">${type(schema, !isRequest)} ${need}${initial}</td>
<td role="cell">${rules.filter(Boolean).map((line) => html`<p>${line}</p>`)}</td>
</tr>`;
}

/** Long names may break after the dot of an object and where a word of the name ends. */
const breakable = (name: string, isWithin: boolean): Html => {
  const pieces = name.split(/(?<=\.)|(?<=_)|(?<=[a-z])(?=[A-Z])/).map((piece) => html`${piece}<wbr>`);
  return isWithin && name !== "" ? html`<span class="within">${pieces}</span>` : html`${pieces}`;
};

const kinds: Readonly<Record<string, string>> = { uuid: "UUID", "date-time": "timestamp" };

/** The type in words. @param isLinked whether named shapes have a table of their own to link to */
function type(schema: Schema, isLinked: boolean): Html {
  const of = (inner: Schema): Html => type(inner, isLinked);
  if (schema.$ref !== undefined) {
    const name = nameOf(schema.$ref);
    return isLinked ? html`<a href="#record-${name}">${words(name)}</a>` : html`object`;
  }
  if (schema.anyOf) return html`${schema.anyOf.map((one, index) => html`${index > 0 && " or "}${of(one)}`)}`;
  if (Array.isArray(schema.type)) return html`${schema.type.join(" or ")}`;
  if (schema.items) return html`array of ${of(schema.items)}`;
  if (schema.const !== undefined) return html`${String(schema.const)}`;
  return html`${kinds[schema.format ?? ""] ?? String(schema.type ?? "any")}`;
}

const number = (value: number): string => value.toLocaleString("en");

/** The limits in words, empty where there are none. */
function rule(schema: Schema): string {
  if (schema.pattern !== undefined) return `Must match \`${schema.pattern}\`.`;
  const { minLength, maxLength, minItems, maxItems, minimum, maximum } = schema;
  return (
    span(minLength, maxLength, "characters") || span(minItems, maxItems, "items") || span(minimum, maximum, "") || ""
  );
}

function span(min: number | undefined, max: number | undefined, unit: string): string {
  const noun = unit && ` ${unit}`;
  if (min !== undefined && max !== undefined) return `${number(min)} to ${number(max)}${noun}.`;
  if (max !== undefined) return `At most ${number(max)}${noun}.`;
  return min === undefined ? "" : `At least ${number(min)}${noun}.`;
}
