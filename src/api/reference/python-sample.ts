// A program in Python for each operation, with the library that most programs there use: requests.
import { exampleOf } from "../../contract/example.ts";
import type { Operation } from "../../contract/operation.ts";
import { type OperationName, operations } from "../../contract/operations.ts";
import { localCaPath, type ReferenceAddress } from "./address.ts";
import { idReplacer, replaceInList } from "./id-words.ts";

/** A program that sends the example of the operation. */
export function pythonSample(name: OperationName, baseUrl: string, { hasLocalCa }: ReferenceAddress): string {
  const row: Operation = operations[name];
  const { query, body } = exampleOf(row).request;
  const replace = idReplacer(name);
  const params = Object.entries(query).map(([field, value]) => [field, replaceInList(replace, field, String(value))]);
  const words = [
    JSON.stringify(`${baseUrl}${row.path}`),
    'headers={"Authorization": "Bearer YOUR_KEY"}',
    ...(params.length > 0 ? [`params=${printed(Object.fromEntries(params))}`] : []),
    ...(row.body?.kind === "file" ? [`data=${printed(body)}.encode()`] : []),
    ...(row.body && row.body.kind !== "file" && body !== undefined ? [`json=${printed(replace("", body))}`] : []),
    ...(hasLocalCa ? [`verify=${JSON.stringify(localCaPath)}`] : []),
    "timeout=60",
  ];
  return `import requests

response = requests.${row.method.toLowerCase()}(
${words.map((word) => `${indent}${word},\n`).join("")})
response.raise_for_status()
${resultOf(row)}`;
}

const resultOf = ({ isText, isFile }: Operation): string =>
  isFile
    ? 'with open("export.zip", "wb") as file:\n    file.write(response.content)'
    : isText
      ? "print(response.text)"
      : 'print(response.json()["data"])';

const indent = "    ";
const lineLengthMax = 72;

/** A value as Python has it: in one line if it is short. */
function printed(value: unknown, depth = 1): string {
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value !== "object") return JSON.stringify(value);
  const [opening, closing] = Array.isArray(value) ? "[]" : "{}";
  const items = Array.isArray(value)
    ? value.map((item) => printed(item, depth + 1))
    : Object.entries(value).map(([field, item]) => `${JSON.stringify(field)}: ${printed(item, depth + 1)}`);
  const line = `${opening}${items.join(", ")}${closing}`;
  if (line.length + depth * indent.length <= lineLengthMax && !line.includes("\n")) return line;
  const inner = indent.repeat(depth + 1);
  return `${opening}\n${items.map((item) => `${inner}${item},\n`).join("")}${indent.repeat(depth)}${closing}`;
}
