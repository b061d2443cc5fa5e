// Shared by the tests: a started service, a workspace for each test, and plain SQL that bypasses the service.
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Commonplace } from "../../sdk/src/index.ts";
import { createTeam, createWorkspace } from "../../src/accounts/workspaces/workspaces.ts";
import { type Config, readConfig } from "../../src/config.ts";
import { createKey } from "../../src/metering/keys/keys.ts";
import { steadyClock, type Transaction } from "../../src/platform/database/database.ts";
import type { Timeouts } from "../../src/platform/database/timeouts.ts";
import type { Patience } from "../../src/platform/http/body-in-pieces.ts";
import type { Pause, Wait } from "../../src/platform/jobs.ts";
import type { Log } from "../../src/platform/log.ts";
import { localPair } from "../../src/platform/tls/local-certificate.ts";
import { startService as start } from "../../src/service.ts";
import { afterAllTests, afterThisTest } from "./cleanup.ts";
import { databaseConfig, engine } from "./engine.ts";
import { firstBilledMonth } from "./first-billed-month.ts";
import { testInstanceKey } from "./instance-key.ts";
import { temporaryRoot } from "./temporary-root.ts";

/** A clock that only the test advances. */
export interface TestClock {
  now: number;
  /** The time that has really passed in milliseconds: setting the clock back does not change it. */
  elapsed: number;
  advance(seconds: number): void;
}

export interface Options {
  /** The clock's time at the start; only the test advances it. Default: the middle of a month. */
  readonly at?: string;
  readonly config?: Partial<Config>;
  /** Shared by several test files: the service ends after the last of all tests. */
  readonly isShared?: boolean;
  /** Replaces the pauses of background jobs. */
  readonly wait?: Wait;
  /** Replaces the delays of sign-ins. */
  readonly pause?: Pause;
  /** How long slow readers are waited for. */
  readonly patience?: Patience;
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came, and asserts on it.
  readonly body: any;
}

export interface RawCall {
  readonly key?: string | undefined;
  readonly query?: Readonly<Record<string, string | number>> | string;
  /** Sent as JSON; strings and bytes are sent unchanged. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Creates a directory that is removed after the last test. */
export function temporaryDirectory(): string {
  const path = mkdtempSync(join(temporaryRoot(), "commonplace-test-"));
  afterAllTests(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

let shared: Promise<Running> | undefined;
type Running = Awaited<ReturnType<typeof launch>>;

/** A running service with a new workspace. Without options, tests share the service but never the workspace. */
export async function startService(options?: Options) {
  if (!options) shared ??= launch({});
  const running = await ((!options && shared) || (options?.isShared ? launch(options) : launchForTest(options ?? {})));
  const workspace = await makeWorkspace(running);
  return { ...running, ...workspace };
}

export type Started = Awaited<ReturnType<typeof startService>>;

/** The number of running services on each data directory that was made for a test. */
const services = new Map<string, number>();

/** Ends a service with the test that started it, or with the file if it was started in `beforeAll`: each has connections and jobs. */
async function launchForTest(options: Options): Promise<Running> {
  const isNew = options.config?.dataDirectory === undefined;
  const running = await launch(options);
  const { service, dataDirectory } = running;
  if (isNew || services.has(dataDirectory)) services.set(dataDirectory, (services.get(dataDirectory) ?? 0) + 1);
  let isStopped = false;
  const stop = async (drainSeconds?: number) => {
    isStopped = true;
    await service.stop(drainSeconds);
  };
  afterThisTest(async () => {
    if (!isStopped) await stop();
    const others = (services.get(dataDirectory) ?? 0) - 1;
    services.set(dataDirectory, others);
    if (others !== 0) return;
    services.delete(dataDirectory);
    await engine.release(dataDirectory);
  });
  return { ...running, service: { ...service, stop } };
}

let certificate: Promise<string> | undefined;

/** Copies one certificate to each data directory: making a new one takes longer than the rest of a start. */
async function copyCertificate(dataDirectory: string): Promise<void> {
  const make = async () => {
    const directory = join(temporaryDirectory(), "tls");
    await localPair(directory);
    return directory;
  };
  certificate ??= make();
  cpSync(await certificate, join(dataDirectory, "tls"), { recursive: true });
}

/** So long that a busy machine or a slow disk makes no request fail: what is tested is not how soon the service gives up. */
const patientTimeouts: Timeouts = { connection: 30_000, lock: 30_000, statement: 30_000, transaction: 60_000 };

async function launch({ at, config, wait, pause, patience }: Options) {
  const dataDirectory = config?.dataDirectory ?? temporaryDirectory();
  if (config?.dataDirectory === undefined && !config?.tls) await copyCertificate(dataDirectory);
  const lines: string[] = [];
  const log: Log = {
    write: (level, message, fields) => lines.push(JSON.stringify({ level, message, ...fields })),
    flush: () => undefined,
  };
  const clock: TestClock = {
    now: Date.parse(at ?? "2026-03-15T12:00:00.000Z"),
    elapsed: 0,
    advance(seconds) {
      this.now += seconds * 1_000;
      this.elapsed += Math.max(0, seconds * 1_000);
    },
  };
  const defaults = readConfig({
    COMMONPLACE_DATA_DIRECTORY: dataDirectory,
    COMMONPLACE_HTTPS_PORT: "0",
    COMMONPLACE_HTTP_PORT: "0",
  });
  const service = await start(
    {
      ...defaults,
      instanceKey: { given: testInstanceKey, path: "" },
      ...(await databaseConfig(dataDirectory)),
      requestsPerMinute: 1_000_000,
      billedFrom: firstBilledMonth,
      ...config,
    },
    {
      clock: steadyClock(
        () => clock.now,
        () => clock.elapsed,
      ),
      log,
      timeouts: patientTimeouts,
      ...(wait && { wait }),
      ...(pause && { pause }),
      ...(patience && { patience }),
    },
  );
  const ca = service.certificate.caPath ? readFileSync(service.certificate.caPath, "utf8") : service.certificate.cert;
  const trustingFetch = ((input: string | URL | Request, init?: RequestInit) =>
    fetch(input, { ...init, tls: { ca } })) as typeof fetch;

  /** Makes one call without the SDK. */
  const call = async (
    method: string,
    path: string,
    { key, query, body, headers }: RawCall = {},
  ): Promise<RawAnswer> => {
    const search = typeof query === "string" ? query : new URLSearchParams(toText(query ?? {})).toString();
    const response = await trustingFetch(`${service.baseUrl}${path}${search ? `?${search}` : ""}`, {
      method,
      headers: { ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }), ...headers },
      ...(body === undefined ? {} : { body: isRawBody(body) ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: bodyOf(text, response),
    };
  };

  const { rows, close } = engine.watch(dataDirectory);
  const stop = (drainSeconds?: number): Promise<void> => {
    close();
    return service.stop(drainSeconds);
  };

  return {
    service: { ...service, stop },
    clock,
    lines,
    ca,
    fetch: trustingFetch,
    call,
    /** Rows by plain SQL on a separate connection. */
    rows,
    dataDirectory,
    baseUrl: service.baseUrl,
    /** Runs an administrative transaction, as the command line does. */
    admin: <T>(work: (transaction: Transaction) => Promise<T>): Promise<T> => service.database.transaction(work),
    /** A client that tries nothing again: a test sees every response. */
    clientFor: (apiKey: string) =>
      new Commonplace({ baseUrl: service.baseUrl, apiKey, fetch: trustingFetch, retryWrites: false }),
  };
}

/** What a response says; a text alone is in the envelope that it stands for. */
export const bodyOf = (text: string, response: Response) =>
  isAlone(response) ? inEnvelope(text, response) : text.startsWith("{") ? JSON.parse(text) : undefined;

const isAlone = ({ status, headers }: Response): boolean =>
  status === 200 && (headers.get("content-type")?.startsWith("text/plain") === true || isFile(headers));

const isFile = (headers: Headers): boolean => headers.has("x-remaining-requests") && headers.has("content-disposition");

const inEnvelope = (data: string, { headers }: Response) => ({
  success: true,
  data,
  usage: {
    remainingRequests: Number(headers.get("x-remaining-requests")),
    ...(isFile(headers) && { usageDeducted: Number(headers.get("x-request-cost")) }),
  },
});

const isRawBody = (body: unknown): body is string | Uint8Array<ArrayBuffer> =>
  typeof body === "string" || body instanceof Uint8Array;

const toText = (query: Readonly<Record<string, string | number>>): Record<string, string> =>
  Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]));

/** Creates a workspace with two teams, a key for all teams, one for the first team only, and one for no team. */
async function makeWorkspace(running: Running) {
  const made = await running.admin(async (transaction) => {
    const workspace = await createWorkspace(transaction, "Test workspace", 100_000);
    const team = await createTeam(transaction, workspace.id, "Own team");
    const otherTeam = await createTeam(transaction, workspace.id, "Other team");
    const key = await createKey(transaction, workspace.id, "All teams", "all");
    const limitedKey = await createKey(transaction, workspace.id, "One team", [team.id]);
    const emptyKey = await createKey(transaction, workspace.id, "No team", []);
    return { workspace, team, otherTeam, key, limitedKey, emptyKey };
  });
  const client = running.clientFor(made.key.secret);
  return {
    ...made,
    client,
    limitedClient: running.clientFor(made.limitedKey.secret),
    given: makeGiven(client, made.team.id),
    /** The workspace's balance, read from the table. */
    balance: async (): Promise<number> => {
      const [newest] = await running.rows<{ balance: number }>(
        "select balance from quota_months where workspace_id = ? order by month desc",
        made.workspace.id,
      );
      return newest?.balance ?? made.workspace.monthly_requests;
    },
    /** The ledger of the workspace, oldest first. */
    ledger: () =>
      running.rows<{
        id: string;
        operation: string;
        status: number;
        units: number;
        balance_after: number;
        key_id: string;
        error_code: string | null;
        error_message: string | null;
        duration_microseconds: number;
        client_address: string;
      }>("select * from ledger where workspace_id = ? order by id", made.workspace.id),
    /** All content of the workspace, without the counters that every call changes: what `engine.snapshot` says of each table, to be compared. */
    content: () => engine.snapshot(running.rows, contentTables, made.workspace.id),
  };
}

const snippetTables = ["snippets", "variations", "former_versions", "snippet_tags"];
/** The tables with what a library has, the trash included. */
export const contentTables = ["folders", "tags", ...snippetTables, ...snippetTables.map((table) => `trashed_${table}`)];

export const text = (content: string, type = "plaintext") => ({ type, content });

/** Creates resources in one line each. */
function makeGiven(client: Commonplace, teamId: string) {
  const folder = async (overrides: { teamId?: string; parentFolderId?: string; folderName?: string } = {}) =>
    (await client.postFolder({ folderName: "A folder", folderColor: "#336699", teamId, ...overrides })).data.folder;
  const tag = async (overrides: { teamId?: string; parentTagId?: string; tagName?: string } = {}) =>
    (await client.postTag({ tagName: "A tag", tagColor: "#993366", teamId, ...overrides })).data.tag;
  const snippet = async (overrides: Partial<Parameters<Commonplace["postSnippet"]>[0]> = {}) => {
    const created = await client.postSnippet({ title: "A snippet", content: text("Hello"), teamId, ...overrides });
    return (await client.getSnippet({ id: created.data.snippetId })).data;
  };
  return {
    folder,
    tag,
    snippet,
    snippetInFolder: async () => {
      const made = await folder();
      return { folder: made, snippet: await snippet({ folderId: made.id }) };
    },
    snippetWithTag: async () => {
      const made = await tag();
      return { tag: made, snippet: await snippet({ tagIds: [made.id] }) };
    },
    /** A snippet with the variations Default, Second and Third. */
    snippetWithVariations: async (overrides: Parameters<typeof snippet>[0] = {}) =>
      snippet({
        additionalVariations: [
          { variationName: "Second", content: text("Second text") },
          { variationName: "Third", content: text("Third text") },
        ],
        ...overrides,
      }),
  };
}

/** The refusal that the call fails with. Rejects if the call succeeds. */
export async function refusalOf(call: Promise<unknown>): Promise<{ status: number; code: string; message: string }> {
  try {
    await call;
  } catch (error) {
    if (error instanceof Error && "status" in error && "code" in error)
      return { status: Number(error.status), code: String(error.code), message: error.message };
    throw error;
  }
  throw new Error("the call succeeded where a refusal was expected");
}
