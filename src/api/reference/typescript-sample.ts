// A program in TypeScript for each operation, with the client in `sdk/`.
import client from "../../../sdk/package.json" with { type: "json" };
import { exampleOf } from "../../contract/example.ts";
import type { Operation } from "../../contract/operation.ts";
import { type OperationName, operations } from "../../contract/operations.ts";
import { localCaPath, type ReferenceAddress } from "./address.ts";
import { type IdReplacer, idReplacer } from "./id-words.ts";

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
