// Turns an operation and its flat arguments into what `fetch` takes.
import type { Operation } from "./operation.ts";

/** The HTTP request of a call, without its headers. */
export interface HttpCall {
  readonly method: string;
  readonly url: string;
  readonly body: string | Uint8Array<ArrayBuffer> | undefined;
}

/** Builds the request of a call; leaves out undefined arguments. @throws TypeError for an argument that the operation cannot send */
export function buildCall(baseUrl: string, operation: Operation, args: object): HttpCall {
  const provided = Object.entries(args).filter(([, value]) => value !== undefined);
  const inQuery = provided.filter(([name]) => operation.query.includes(name));
  const inBody = provided.filter(([name]) => !operation.query.includes(name));

  const [[unknown] = []] = inBody;
  if (operation.body === "none" && unknown !== undefined)
    throw new TypeError(`${operation.name} does not accept the argument "${unknown}"`);

  const search = new URLSearchParams(
    inQuery.map(([name, value]): [string, string] => [name, queryText(value)]),
  ).toString();
  const url = `${baseUrl}${operation.path}${search === "" ? "" : `?${search}`}`;
  if (operation.body === "file") return { method: operation.method, url, body: fileIn(operation, inBody) };
  const hasBody = operation.body === "required" || inBody.length > 0;
  return {
    method: operation.method,
    url,
    body: hasBody ? JSON.stringify(Object.fromEntries(inBody)) : undefined,
  };
}

/** The argument `file` is the whole body. */
function fileIn({ name }: Operation, args: readonly [string, unknown][]): string | Uint8Array<ArrayBuffer> {
  const other = args.find(([argument]) => argument !== "file");
  if (other) throw new TypeError(`${name} does not accept the argument "${other[0]}"`);
  const file = args[0]?.[1];
  if (typeof file === "string") return file;
  if (!(file instanceof Uint8Array)) throw new TypeError(`${name} needs the argument "file": a Uint8Array or a string`);
  // `fetch` takes no bytes of a SharedArrayBuffer; of any other, this is the same.
  return file.buffer instanceof ArrayBuffer ? (file as Uint8Array<ArrayBuffer>) : new Uint8Array(file);
}

function queryText(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.join(",");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
