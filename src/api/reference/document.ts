// The OpenAPI document as the reference page shows it: with samples for the TypeScript client, and without IDs in requests.
import client from "../../../sdk/package.json" with { type: "json" };
import { exampleOf } from "../../contract/example.ts";
import { openApi } from "../../contract/openapi.ts";
import type { OpenApi, OperationObject } from "../../contract/openapi-document.ts";
import type { Operation } from "../../contract/operation.ts";
import { type OperationName, operationNames, operations } from "../../contract/operations.ts";
import { isUuid } from "../../contract/uuid.ts";

/** Where clients find the certificate of a local CA, as the documentation names it: readers are seldom on the service's own computer. */
const localCaPath = "data/tls/ca.crt";

/** How clients reach the service. */
export interface ReferenceAddress {
  /** `https://host[:port]` */
  readonly origin: string;
  /** Whether clients must be given the certificate of a local CA. */
  readonly hasLocalCa: boolean;
}

/** How the curl commands of the page start. */
export const curlStart = ({ hasLocalCa }: ReferenceAddress): string =>
  hasLocalCa ? `curl --cacert ${localCaPath}` : "curl";

/** A sample that the page offers next to its own. */
interface CodeSample {
  readonly lang: string;
  readonly label: string;
  readonly source: string;
}

/**
 * The document that the page loads. Its requests have placeholders such as `SNIPPET_ID` instead of IDs, so that one click cannot change or
 * delete anything. The published document has examples with IDs, and no extensions for this page.
 */
export function referenceDocument(apiPath: string, address: ReferenceAddress): OpenApi {
  const document = openApi(apiPath);
  const baseUrl = `${address.origin}${apiPath}`;
  const paths: Record<string, Record<string, OperationObject & { readonly "x-codeSamples": CodeSample[] }>> = {};
  for (const name of operationNames) {
    const { path, method } = operations[name];
    const described = document.paths[path]?.[method.toLowerCase()];
    if (!described) throw new Error(`the document has no ${name}`);
    const sample = { lang: "typescript", label: "TypeScript client", source: typeScriptSample(name, baseUrl, address) };
    paths[path] = {
      ...paths[path],
      [method.toLowerCase()]: { ...withoutIds(name, described), "x-codeSamples": [sample] },
    };
  }
  // After the first paragraph.
  const link = `\n\n[OpenAPI document](${apiPath}/openapi.json)\n\n`;
  const description = document.info.description.replace("\n\n", link);
  return { ...document, info: { ...document.info, description }, paths };
}

/** A program that sends the example of the operation. */
export function typeScriptSample(name: OperationName, baseUrl: string, { hasLocalCa }: ReferenceAddress): string {
  const trust = hasLocalCa ? `// In Node.js and Bun, set NODE_EXTRA_CA_CERTS=${localCaPath}\n` : "";
  return `${trust}import { Commonplace } from "${client.name}";

const client = new Commonplace({
  baseUrl: ${JSON.stringify(baseUrl)},
  apiKey: "YOUR_KEY",
});
const { data } = await client.${name}(${printed(argumentsOf(name))});
console.log(data);`;
}

/** The arguments of the client's method: query parameters and the fields of the body in one object. */
function argumentsOf(name: OperationName): object {
  const row: Operation = operations[name];
  const { query } = exampleOf(row).request;
  const replace = idReplacer(name);
  const fromQuery = Object.entries(query).map(([parameter, value]) => {
    const parsed = row.query[parameter]?.parse(String(value), parameter);
    return [parameter, replace(parameter, Array.isArray(parsed) ? parsed : value)];
  });
  return { ...Object.fromEntries(fromQuery), ...bodyArguments(row, replace) };
}

function bodyArguments(row: Operation, replace: IdReplacer): object {
  const { body } = exampleOf(row).request;
  if (row.body?.kind === "file") return { file: body };
  const replaced = replace("", body);
  return typeof replaced === "object" && replaced !== null ? replaced : {};
}

/** An object as a program contains it: without quotes around names, and lists of strings and short objects in one line. */
function printed(value: object): string {
  if (Object.keys(value).length === 0) return "";
  const lines = JSON.stringify(value, null, 2)
    .replace(/^(\s*)"(\w+)": /gm, "$1$2: ")
    .replace(/\[\n\s*(".*"(?:,\n\s*".*")*)\n\s*\]/g, (_, items: string) => `[${items.replace(/\n\s*/g, " ")}]`);
  const line = lines.replace(/\n\s*/g, " ");
  return line.length <= lineLengthMax ? line : lines;
}

const lineLengthMax = 72;

/** The operation, whose request has words in place of IDs. */
function withoutIds(name: OperationName, described: OperationObject): OperationObject {
  const replace = idReplacer(name);
  const { parameters, requestBody } = described;
  const content = Object.entries(requestBody?.content ?? {}).map(([type, { example, ...rest }]) => [
    type,
    { ...rest, ...(example !== undefined && { example: replace("", example) }) },
  ]);
  return {
    ...described,
    ...(parameters && {
      parameters: parameters.map((parameter) => {
        const { name: field, example } = parameter;
        return typeof example === "string"
          ? { ...parameter, example: replaceInList(replace, field, example) }
          : parameter;
      }),
    }),
    ...(requestBody && { requestBody: { ...requestBody, content: Object.fromEntries(content) } }),
  };
}

const replaceInList = (replace: IdReplacer, name: string, list: string): string =>
  list
    .split(",")
    .map((item) => replace(name, item))
    .join(",");

/** Replaces the IDs in the value of a field. */
type IdReplacer = (field: string, value: unknown) => unknown;

/** Each ID becomes a word made from the name of its field, such as `FOLDER_ID`, or `FOLDER_ID_2` if it is the second. */
function idReplacer(name: OperationName): IdReplacer {
  const known = new Map<string, string[]>();
  const noun = operations[name].path.split("/")[1]?.replace(/s$/, "") ?? "";
  const wordFor = (field: string, id: string): string => {
    const singular = /^ids?$/.test(field) ? `${noun}Id` : field.replace(/s$/, "");
    const word = singular.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
    const ids = known.get(word) ?? [];
    known.set(word, ids);
    if (!ids.includes(id)) ids.push(id);
    const position = ids.indexOf(id);
    return position === 0 ? word : `${word}_${position + 1}`;
  };
  const replace: IdReplacer = (field, value) => {
    if (typeof value === "string") return isUuid(value) ? wordFor(field, value) : value;
    if (Array.isArray(value)) return value.map((item) => replace(field, item));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, replace(key, inner)]));
  };
  return replace;
}
