// Turns an operation and its flat arguments into what `fetch` takes.
import type { Operation } from "./operation.ts";

/** The HTTP request of a call, without its headers. */
export interface HttpCall {
  readonly method: string;
  readonly url: string;
  readonly body: string | undefined;
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
  const hasBody = operation.body === "required" || inBody.length > 0;
  return {
    method: operation.method,
    url: `${baseUrl}${operation.path}${search === "" ? "" : `?${search}`}`,
    body: hasBody ? JSON.stringify(Object.fromEntries(inBody)) : undefined,
  };
}

function queryText(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  return Array.isArray(value) ? value.join(",") : String(value);
}
