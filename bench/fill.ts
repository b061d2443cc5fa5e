// Fills an instance with folders and snippets through the API, so that how they are stored is the service's own business.
import { sql } from "../src/platform/database/sql.ts";
import type { Engine } from "./engines.ts";
import type { Instance, Target, Tenant } from "./instance.ts";
import type { Server } from "./processes.ts";
import { showProgress } from "./progress.ts";
import { batchSize, sampleSnippet } from "./sample.ts";

const workers = 8;

export const apiPath = "/api";
/** The certificate is made for this run. The benchmark measures encryption, not trust. */
export const tls = { rejectUnauthorized: false };

/** The snippets of one folder. */
interface Share {
  readonly tenant: Tenant;
  readonly folderId: string;
  readonly first: number;
  readonly count: number;
}

/** What an instance is filled up to. */
export interface Filling {
  readonly total: number;
  readonly inFolder: number;
  /** Makes the body of a snippet. Default: all of one length. */
  readonly sample?: (index: number, teamId: string) => object;
}

/** Starts a service, fills the instance, and stops it once everything is indexed. @param step for the progress */
export async function fillWith(
  engine: Pick<Engine, "startService" | "withDatabase">,
  instance: Instance,
  filling: Filling,
  step: string,
): Promise<void> {
  const server = await engine.startService();
  await fill(server, instance, filling, (done) =>
    showProgress(
      step,
      `${done.toLocaleString("en-US")} of ${filling.total.toLocaleString("en-US")}`,
      done / filling.total,
    ),
  );
  await waitForIndex(engine);
  await server.stop();
}

/** So many changes of a workspace are left for searches to look into. */
const leftPending = 63;

/** Waits until the index has what was written. */
export async function waitForIndex({ withDatabase }: Pick<Engine, "withDatabase">): Promise<void> {
  const countMost = async () => {
    const found = await withDatabase((database) =>
      database.read((transaction) =>
        transaction.first<{ most: number | null }>(
          sql`select max(waiting) as most from (select sum(snippet_count) as waiting from search_pending group by workspace_id) counts`,
        ),
      ),
    );
    return found?.most ?? 0;
  };
  while ((await countMost()) > leftPending) await Bun.sleep(300);
}

/** Adds snippets in new folders, spread over the workspaces, up to a total. */
async function fill(
  server: Server,
  { tenants, snippets, folders }: Instance,
  { total, inFolder, sample = sampleSnippet }: Filling,
  report: (done: number) => void,
): Promise<void> {
  const shares: Share[] = [];
  const folderCount = Math.ceil((total - snippets.length) / inFolder);
  const made = await createFolders(server, tenants, folderCount);
  folders.push(...made);
  let planned = snippets.length;
  for (const { tenant, id: folderId } of made)
    for (let left = Math.min(inFolder, total - planned); left > 0; left -= batchSize) {
      const count = Math.min(batchSize, left);
      shares.push({ tenant, folderId, first: planned, count });
      planned += count;
    }
  const work = async () => {
    for (let share = shares.shift(); share; share = shares.shift()) {
      const { tenant, folderId, first, count } = share;
      const created = await post<{ createdSnippets: { snippetId: string }[] }>(server, tenant, "/snippets", {
        snippets: Array.from({ length: count }, (_, index) => ({
          ...sample(first + index, tenant.teamId),
          folderId,
        })),
      });
      snippets.push(...created.createdSnippets.map(({ snippetId: id }) => ({ tenant, id })));
      report(snippets.length);
    }
  };
  await Promise.all(Array.from({ length: workers }, work));
}

/** Creates folders in batches. @returns them with the workspaces in turn, so that calls of different ones run at a time */
async function createFolders(server: Server, tenants: readonly Tenant[], count: number): Promise<Target[]> {
  const made: { target: Target; place: number }[] = [];
  for (const [index, tenant] of tenants.entries()) {
    const own = Math.floor((count - index - 1) / tenants.length) + 1;
    for (let left = own; left > 0; left -= batchSize) {
      const folders = Array.from({ length: Math.min(batchSize, left) }, (_, number) => ({
        folderName: `Folder ${number + 1}`,
        folderColor: "#336699",
        teamId: tenant.teamId,
      }));
      const { createdFolders } = await post<{ createdFolders: { id: string }[] }>(server, tenant, "/folders", {
        folders,
      });
      made.push(...createdFolders.map(({ id }, place) => ({ target: { tenant, id }, place: left - place })));
    }
  }
  return made.sort((a, b) => b.place - a.place).map(({ target }) => target);
}

async function post<Data>(server: Server, { keys }: Tenant, path: string, body: unknown): Promise<Data> {
  const key = keys[Math.floor(Math.random() * keys.length)];
  const response = await fetch(`https://127.0.0.1:${server.port}${apiPath}${path}`, {
    method: "POST",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    body: JSON.stringify(body),
    tls,
  });
  if (response.status !== 200) throw new Error(`POST ${path}: ${await response.text()}`);
  return ((await response.json()) as { data: Data }).data;
}
