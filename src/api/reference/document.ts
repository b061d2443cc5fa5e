// The OpenAPI document as the reference page shows it: with samples in TypeScript and Python, and without IDs in requests.
import { openApi } from "../../contract/openapi.ts";
import type { OperationObject } from "../../contract/openapi-document.ts";
import { type OperationName, operationNames, operations } from "../../contract/operations.ts";
import type { ReferenceAddress } from "./address.ts";
import { idReplacer, replaceInList } from "./id-words.ts";
import { pythonSample } from "./python-sample.ts";
import { typeScriptSample } from "./typescript-sample.ts";

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
export function referenceDocument(apiPath: string, address: ReferenceAddress) {
  const document = openApi(apiPath);
  const baseUrl = `${address.origin}${apiPath}`;
  const paths: Record<string, Record<string, OperationObject & { readonly "x-codeSamples": CodeSample[] }>> = {};
  for (const name of operationNames) {
    const { path, method } = operations[name];
    const described = document.paths[path]?.[method.toLowerCase()];
    if (!described) throw new Error(`the document has no ${name}`);
    const samples = [
      { lang: "typescript", label: "TypeScript client", source: typeScriptSample(name, baseUrl, address) },
      { lang: "python", label: "Python requests", source: pythonSample(name, baseUrl, address) },
    ];
    paths[path] = {
      ...paths[path],
      [method.toLowerCase()]: { ...withoutIds(name, described), "x-codeSamples": samples },
    };
  }
  // After the first paragraph.
  const link = `\n\n[OpenAPI document](${apiPath}/openapi.json)\n\n`;
  const description = document.info.description.replace("\n\n", link);
  return { ...document, info: { ...document.info, description }, paths };
}

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
