// Which code answers a request: by path, then by method. The API and the console make their routes from their tables.
import { errors } from "../../contract/errors.ts";
import type { OperationName } from "../../contract/operations.ts";
import type { IncomingRequest } from "./receive.ts";
import { type OutgoingResponse, refusalResponse } from "./respond.ts";

/**
 * What the metrics count a request as: an operation; the console with all that is below its path; `open` for pages and probes, which need
 * no key; `mcp` for agents, whose tools make requests of their own; `none` where the path or the method does not exist. Never what the client wrote.
 */
export type RequestKind = OperationName | "console" | "mcp" | "open" | "none";

export type Respond = (request: IncomingRequest, requestId: string) => OutgoingResponse | Promise<OutgoingResponse>;

export interface Route {
  readonly kind: RequestKind;
  readonly respond: Respond;
}

/** @returns undefined where the path is not known */
export type FindRoute = (request: IncomingRequest) => Route | undefined;

export type MethodsByPath<Name> = ReadonlyMap<string, ReadonlyMap<string, Name>>;

/** The names of a table's rows by path and method. */
export function methodsByPath<Name extends string>(
  names: readonly Name[],
  rowOf: (name: Name) => { readonly method: string; readonly path: string },
  prefix = "",
): MethodsByPath<Name> {
  const paths = new Map<string, Map<string, Name>>();
  for (const name of names) {
    const { method, path } = rowOf(name);
    const methods = paths.get(prefix + path) ?? new Map<string, Name>();
    paths.set(prefix + path, methods.set(method, name));
  }
  return paths;
}

/** Answers 405 with the methods that the path does have. */
export const methodNotAllowed =
  (methods: Iterable<string>): Respond =>
  (_, requestId) =>
    refusalResponse(errors.methodNotAllowed([...methods].join(", ")), requestId);

/** What needs no key and is only read: pages and probes. */
export const openRoute =
  (respond: Respond): FindRoute =>
  ({ method }) => ({ kind: "open", respond: method === "GET" || method === "HEAD" ? respond : readOnly });

const readOnly = methodNotAllowed(["GET", "HEAD"]);
