// Fills the service with snippets through its API, and writes the requests of the load and the response of the bare server.
import { writeFileSync } from "node:fs";
import type { RecordedResponse, Server } from "./processes.ts";
import { batchSize, sampleSnippet } from "./sample.ts";

const workers = 4;
/** Different request bodies of a batch. */
const batchBodies = 20;
/** Headers that every server adds by itself. */
const addedHeaders = new Set(["date", "content-length", "connection"]);

interface Access {
  readonly baseUrl: string;
  readonly key: string;
  readonly teamId: string;
}

/** The address and the key that the first start of the service prints. */
export const accessOf = ({ printed, port }: Server): Access => ({
  baseUrl: `https://127.0.0.1:${port}${new URL(String(printed.base_url)).pathname}`,
  key: String(printed.key),
  teamId: String(printed.team_id),
});

const batchBody = (first: number, teamId: string): string =>
  JSON.stringify({ snippets: Array.from({ length: batchSize }, (_, index) => sampleSnippet(first + index, teamId)) });

/** The certificate is made for this run. The benchmark measures encryption, not trust. */
export const tls = { rejectUnauthorized: false };

/** Creates snippets through the API, in batches. @returns their ids */
export async function seed(
  { baseUrl, key, teamId }: Access,
  total: number,
  report: (done: number) => void,
): Promise<string[]> {
  const ids: string[] = [];
  let next = 0;
  const work = async () => {
    while (next < total) {
      const first = next;
      next += batchSize;
      const response = await fetch(`${baseUrl}/snippets`, {
        method: "POST",
        headers: { Authorization: `Bearer ${key}` },
        body: batchBody(first, teamId),
        tls,
      });
      if (response.status !== 200) throw new Error(`POST /snippets: ${await response.text()}`);
      const { data } = (await response.json()) as { data: { createdSnippets: { snippetId: string }[] } };
      ids.push(...data.createdSnippets.map((created) => created.snippetId));
      report(ids.length);
    }
  };
  await Promise.all(Array.from({ length: workers }, work));
  return ids;
}

/** Writes the requests of GET /snippet, one for each id. */
export function writeReadRequests(path: string, { baseUrl, key }: Access, ids: readonly string[]): void {
  const { pathname } = new URL(baseUrl);
  const rest = ` HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n\r\n`;
  writeFileSync(path, ids.map((id) => `GET ${pathname}/snippet?id=${id}${rest}`).join("\0"));
}

/** Writes the requests of POST /snippets. */
export function writeBatchRequests(path: string, { baseUrl, key, teamId }: Access): void {
  const { pathname } = new URL(baseUrl);
  const requests = Array.from({ length: batchBodies }, (_, index) => {
    const body = batchBody(index * batchSize, teamId);
    const head = `POST ${pathname}/snippets HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}`;
    return `${head}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
  });
  writeFileSync(path, requests.join("\0"));
}

/** Makes one call and saves the response, which the bare server repeats. */
export async function recordResponse(path: string, { baseUrl, key }: Access, id: string): Promise<void> {
  const response = await fetch(`${baseUrl}/snippet?id=${id}`, { headers: { Authorization: `Bearer ${key}` }, tls });
  if (response.status !== 200) throw new Error(`GET /snippet: ${await response.text()}`);
  const headers = Object.fromEntries([...response.headers].filter(([name]) => !addedHeaders.has(name)));
  writeFileSync(path, JSON.stringify({ body: await response.text(), headers } satisfies RecordedResponse));
}
