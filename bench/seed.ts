// Fills the service with snippets as a client would, and writes down what the load is made of: requests, and the yardstick's answer.
import { writeFileSync } from "node:fs";
import type { RecordedAnswer, Server } from "./processes.ts";
import { batchSize, sampleSnippet } from "./sample.ts";

const workers = 4;
/** Different bodies of a batch to send in turn. */
const batchBodies = 20;
/** What a server adds to an answer by itself. */
const addedHeaders = new Set(["date", "content-length", "connection"]);

interface Access {
  readonly baseUrl: string;
  readonly key: string;
  readonly teamId: string;
}

/** What the first start of the service says. */
export const accessOf = ({ printed, port }: Server): Access => ({
  baseUrl: `https://127.0.0.1:${port}${new URL(String(printed.base_url)).pathname}`,
  key: String(printed.key),
  teamId: String(printed.team_id),
});

const batchBody = (first: number, teamId: string): string =>
  JSON.stringify({ snippets: Array.from({ length: batchSize }, (_, index) => sampleSnippet(first + index, teamId)) });

/** The certificate was made for this run; what is measured is the encryption, not the trust. */
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

/** The requests of GET /snippet, one for each id. */
export function writeReads(path: string, { baseUrl, key }: Access, ids: readonly string[]): void {
  const { pathname } = new URL(baseUrl);
  const rest = ` HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n\r\n`;
  writeFileSync(path, ids.map((id) => `GET ${pathname}/snippet?id=${id}${rest}`).join("\0"));
}

/** The requests of POST /snippets. */
export function writeBatches(path: string, { baseUrl, key, teamId }: Access): void {
  const { pathname } = new URL(baseUrl);
  const requests = Array.from({ length: batchBodies }, (_, index) => {
    const body = batchBody(index * batchSize, teamId);
    const head = `POST ${pathname}/snippets HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}`;
    return `${head}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
  });
  writeFileSync(path, requests.join("\0"));
}

/** Makes one call and keeps the answer, for the bare server to repeat. */
export async function recordAnswer(path: string, { baseUrl, key }: Access, id: string): Promise<void> {
  const response = await fetch(`${baseUrl}/snippet?id=${id}`, { headers: { Authorization: `Bearer ${key}` }, tls });
  if (response.status !== 200) throw new Error(`GET /snippet: ${await response.text()}`);
  const headers = Object.fromEntries([...response.headers].filter(([name]) => !addedHeaders.has(name)));
  writeFileSync(path, JSON.stringify({ body: await response.text(), headers } satisfies RecordedAnswer));
}
