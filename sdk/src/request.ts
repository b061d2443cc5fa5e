// The way out: an operation and its flat arguments → what `fetch` is given.
import type { Operation } from "./operation.ts";

/** An operation's call, apart from headers. */
export interface OutgoingCall {
  readonly method: string;
  readonly url: string;
  readonly body: string | undefined;
}

/** Arguments that are undefined are left out. @throws TypeError for an argument that the operation can not send */
export function buildCall(baseUrl: string, operation: Operation, args: object): OutgoingCall {
  const given = Object.entries(args).filter(([, value]) => value !== undefined);
  const inQuery = given.filter(([name]) => operation.query.includes(name));
  const inBody = given.filter(([name]) => !operation.query.includes(name));

  const [[unknown] = []] = inBody;
  if (operation.body === "none" && unknown !== undefined)
    throw new TypeError(`${operation.name} takes no argument "${unknown}"`);

  const search = new URLSearchParams(inQuery.map(([name, value]) => [name, queryText(value)])).toString();
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
