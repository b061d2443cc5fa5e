// Calls the console's operations, typed by their table, and the authentication endpoints. Contains none of the table's schemas.
import type {
  ConsoleInput,
  ConsoleOperationName,
  ConsoleRequestBody,
  ConsoleResult,
  consoleOperations,
} from "../src/contract/console/operations.ts";
import { consoleRoutes } from "./contract.macro.ts" with { type: "macro" };

const routes = consoleRoutes();

type Query<Name extends ConsoleOperationName> = ConsoleInput<Name>["query"];

/** Query parameters. Those with a default are optional, and the id of the open workspace is filled in. */
export type QueryOf<Name extends ConsoleOperationName> = {
  readonly [Key in keyof Query<Name>]?: Query<Name>[Key] | undefined;
};
export type BodyOf<Name extends ConsoleOperationName> = ConsoleRequestBody<Name>;
export type DataOf<Name extends ConsoleOperationName> = ConsoleResult<Name>["data"];

type Operations = typeof consoleOperations;
/** Operations that read JSON. */
export type ReadOperation = {
  [Name in ConsoleOperationName]: Operations[Name] extends { method: "GET"; mediaType: string }
    ? never
    : Operations[Name] extends { method: "GET" }
      ? Name
      : never;
}[ConsoleOperationName];
/** Those of them that are paged. */
export type PagedOperation = {
  [Name in ReadOperation]: Operations[Name]["isPaged"] extends true ? Name : never;
}[ReadOperation];
/** Operations that change something. */
export type WriteOperation = {
  [Name in ConsoleOperationName]: Operations[Name] extends { method: "GET" } ? never : Name;
}[ConsoleOperationName];
/** Operations that respond with a file. */
export type DownloadOperation = Exclude<ConsoleOperationName, ReadOperation | WriteOperation>;
/** One row of a paged operation. */
export type RowOf<Name extends PagedOperation> = DataOf<Name>[number];

/** A failed call, with a message for people. */
export class ApiError extends Error {
  constructor(
    /** 0 without a response. */
    readonly status: number,
    /** Stable, such as `key_not_found`; from an authentication endpoint Better Auth's code, such as `INVALID_OTP`. */
    readonly code: string,
    message: string,
    readonly requestId: string | null = null,
    readonly retryAfterSeconds: number | null = null,
    /** With `changed_meanwhile`: what `getLibrarySnippet` returns now. */
    readonly current: DataOf<"getLibrarySnippet"> | null = null,
  ) {
    super(message);
  }
}

/** The person closed the password prompt: there is no error to show. */
export const isCancelled = (error: unknown): boolean => error instanceof ApiError && error.code === "cancelled";

const isNonEmpty = (value: unknown): value is string => typeof value === "string" && value !== "";

/** The service's messages end without a period; the console's texts are whole sentences. */
const asSentence = (message: string): string => (/[.!?]$/.test(message) ? message : `${message}.`);

async function send(method: string, path: string, body: unknown, signal?: AbortSignal): Promise<unknown> {
  const response = await request(method, path, body, signal);
  return await response.json().catch(() => undefined);
}

async function request(method: string, path: string, body: unknown, signal?: AbortSignal): Promise<Response> {
  const response = await fetch(`/console${path}`, {
    method,
    credentials: "same-origin",
    // Requests that change something always declare their content type: the service accepts nothing else.
    ...(method !== "GET" && {
      headers: { "Content-Type": body instanceof Blob ? "application/octet-stream" : "application/json" },
    }),
    ...(body !== undefined && { body: body instanceof Blob ? body : JSON.stringify(body) }),
    ...(signal && { signal }),
  }).catch((cause: unknown) => {
    if (signal?.aborted) throw cause;
    throw new ApiError(0, "unreachable", "Can’t reach the service. Check your connection and try again.");
  });
  if (response.ok) return response;
  const payload: unknown = await response.json().catch(() => undefined);
  const { message, error, code, current } = (payload ?? {}) as Record<string, unknown>;
  const retryAfter = Number(response.headers.get("Retry-After") ?? Number.NaN);
  throw new ApiError(
    response.status,
    isNonEmpty(error) ? error : isNonEmpty(code) ? code : "",
    isNonEmpty(message) ? asSentence(message) : `Something went wrong (status ${response.status}). Try again.`,
    response.headers.get("X-Request-Id"),
    Number.isFinite(retryAfter) ? retryAfter : null,
    // Only a library write has it, and it is made like the response of that read.
    (current as DataOf<"getLibrarySnippet"> | undefined) ?? null,
  );
}

function pathOf(name: ConsoleOperationName, query: object | undefined, workspaceId: string | undefined): string {
  const { path, isInWorkspace } = routes[name];
  const search = new URLSearchParams(isInWorkspace && workspaceId !== undefined ? { workspaceId } : {});
  for (const [key, value] of Object.entries(query ?? {}))
    if (value !== undefined && value !== "") search.set(key, textOf(value));
  return search.size > 0 ? `/api${path}?${search}` : `/api${path}`;
}

const textOf = (value: unknown): string => {
  if (value instanceof Date) return value.toISOString();
  return typeof value === "object" && !Array.isArray(value) ? JSON.stringify(value) : String(value);
};

export interface CallOptions<Name extends ConsoleOperationName> {
  readonly query?: QueryOf<Name> | undefined;
  readonly body?: BodyOf<Name> | undefined;
  /** Added to the query if the operation takes it. */
  readonly workspaceId?: string | undefined;
  readonly signal?: AbortSignal;
}

/** Calls an operation. @throws ApiError */
export async function callConsole<Name extends ConsoleOperationName>(
  name: Name,
  { query, body, workspaceId, signal }: CallOptions<Name> = {},
): Promise<ConsoleResult<Name>> {
  const path = pathOf(name, query, workspaceId);
  // The service makes its responses from the row that this type comes from.
  return (await send(routes[name].method, path, body, signal)) as ConsoleResult<Name>;
}

/**
 * Reads an operation as a stream of events: passes on the data of each, and every sign of life, until the stream ends.
 * @throws ApiError for a refusal
 */
export async function readEvents<Name extends ReadOperation>(
  name: Name,
  { query, workspaceId, signal }: Omit<CallOptions<Name>, "body"> & { readonly signal: AbortSignal },
  onChunk: (events: readonly string[]) => void,
): Promise<void> {
  const response = await fetch(`/console${pathOf(name, query, workspaceId)}`, {
    credentials: "same-origin",
    headers: { Accept: "text/event-stream" },
    signal,
  });
  if (!response.ok || !response.body) throw new ApiError(response.status, "", "The stream was refused.");
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const blocks = (text + value).split("\n\n");
    text = blocks.pop() ?? "";
    onChunk(blocks.flatMap((block) => (block.startsWith("data: ") ? [block.slice("data: ".length)] : [])));
  }
}

export interface ReceivedExport {
  readonly name: string;
  readonly content: Blob;
  readonly warnings: readonly string[];
  /** Whether the other tool would run something. The first warning says what. */
  readonly hasCode: boolean;
}

/** A file, which is in memory as a whole, and what the service says about it. @throws ApiError */
export async function receiveExport(
  workspaceId: string,
  query: QueryOf<"getLibraryExport">,
  signal: AbortSignal,
): Promise<ReceivedExport> {
  const response = await request("GET", pathOf("getLibraryExport", query, workspaceId), undefined, signal);
  const name = /filename="([^"]+)"/.exec(response.headers.get("Content-Disposition") ?? "")?.[1] ?? "export";
  const content = await response.blob().catch(() => {
    throw new ApiError(0, "unreachable", "The connection was lost. Try again.");
  });
  const warnings: readonly string[] = JSON.parse(response.headers.get("X-Export-Warnings") ?? "[]");
  return { name, content, warnings, hasCode: response.headers.has("X-Export-Code-Count") };
}

/** The address of a download, for `<a href download>`. */
export const downloadPath = <Name extends DownloadOperation>(
  name: Name,
  workspaceId: string,
  query?: QueryOf<Name>,
): string => `/console${pathOf(name, query, workspaceId)}`;

/** The address of the export of the person's own data. */
export const accountExportPath = `/console${pathOf("getPersonExport", undefined, undefined)}`;

/** Calls an authentication endpoint, such as `/sign-in/email`. The caller states the type of the response. @throws ApiError */
export const callAuth = async <Answer>(method: "GET" | "POST", path: string, body?: unknown): Promise<Answer> =>
  (await send(method, `/auth${path}`, method === "GET" ? undefined : (body ?? {}))) as Answer;
