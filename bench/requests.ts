// The files of requests that the load generators send, and the response that the bare server sends.
import { writeFileSync } from "node:fs";
import { apiPath, tls } from "./fill.ts";
import type { Target, Tenant } from "./instance.ts";
import type { RecordedResponse, Server } from "./processes.ts";
import { batchSize, sampleSnippet } from "./sample.ts";

/** Different requests in a file; more would only enlarge the file. */
const requestsMax = 100_000;
/** Different lists of a hundred ids. */
const listsMax = 2_000;
/** Headers that every server adds by itself. */
const addedHeaders = new Set(["date", "content-length", "connection"]);

/** A call of one of the keys of a workspace. */
export interface Call {
  readonly tenant: Tenant;
  readonly path: string;
}

const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(Math.random() * items.length)] as Item;

/** Calls for random targets. @param path such as `/snippet?id=` */
export const callsOf = (path: string, targets: readonly Target[], suffix = ""): Call[] =>
  Array.from({ length: Math.min(requestsMax, targets.length) }, (_, index) => {
    const { tenant, id } = targets.length > requestsMax ? pick(targets) : (targets[index] as Target);
    return { tenant, path: `${path}${id}${suffix}` };
  });

/** Calls for a hundred random targets each, all of one workspace. */
export const listCallsOf = (path: string, targets: readonly Target[]): Call[] =>
  Array.from({ length: listsMax }, () => {
    const { tenant } = targets[0] as Target;
    const ids = new Set<string>();
    while (ids.size < batchSize) ids.add(pick(targets).id);
    return { tenant, path: `${path}${[...ids].join(",")}` };
  });

const headOf = (method: string, { tenant, path }: Call): string =>
  `${method} ${apiPath}${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${pick(tenant.keys)}`;

/** Writes calls that read, each with a random key of its workspace. */
export const writeReads = (path: string, calls: readonly Call[]): void =>
  writeRequests(
    path,
    calls.map((call) => `${headOf("GET", call)}\r\n\r\n`),
  );

export const writeRequests = (path: string, requests: readonly string[]): void =>
  writeFileSync(path, requests.join("\0"));

/** A call that sends this body. */
export const postOf = (call: Call, body: string): string =>
  `${headOf("POST", call)}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

/** Writes requests of POST /snippets, as many for each workspace as it has keys. @param sample makes the body of a snippet */
export function writeBatches(
  path: string,
  tenants: readonly Tenant[],
  sample: (index: number, teamId: string) => object = sampleSnippet,
): void {
  const requests = tenants.flatMap((tenant) =>
    tenant.keys.map((_, number) => {
      const snippets = Array.from({ length: batchSize }, (_, index) =>
        sample(number * batchSize + index, tenant.teamId),
      );
      return postOf({ tenant, path: "/snippets" }, JSON.stringify({ snippets }));
    }),
  );
  writeRequests(path, requests);
}

/** Makes one call and saves the response, which the bare server repeats. @returns the length of its body */
export async function recordResponse(path: string, server: Server, { tenant, path: called }: Call): Promise<number> {
  const response = await fetch(`https://127.0.0.1:${server.port}${apiPath}${called}`, {
    headers: { Authorization: `Bearer ${tenant.keys[0]}` },
    tls,
  });
  if (response.status !== 200) throw new Error(`GET ${called}: ${await response.text()}`);
  const headers = Object.fromEntries([...response.headers].filter(([name]) => !addedHeaders.has(name)));
  const body = await response.text();
  writeFileSync(path, JSON.stringify({ body, headers } satisfies RecordedResponse));
  return Buffer.byteLength(body);
}
