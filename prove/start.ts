// A service that was killed under load responds again within seconds, however large its database is: it is filled, and the service is killed
// again and again while clients write and search, beside programs that keep every processor busy.
import { cpus } from "node:os";
import { indexSnippets } from "../src/library/search/index-snippets.ts";
import { insertSnippets } from "../src/library/snippets.store.ts";
import type { Database } from "../src/platform/database/database.ts";
import { databaseSettings, engine, openNode } from "../test/support/engine.ts";
import { makeWorkspace, type Workspace } from "../test/support/nodes.ts";
import { type ServiceProcess, spawnService } from "../test/support/process.ts";
import { temporaryDirectory, text } from "../test/support/service.ts";
import type { Form, Prove, Run } from "./proof.ts";
import { Random } from "./random.ts";

const secondsMax = 5;
const snippetsOf: Readonly<Record<Form, number>> = { long: 1_000_000, short: 5_000, control: 1_000 };
const killsOf: Readonly<Record<Form, number>> = { long: 20, short: 2, control: 1 };
/** The share of the time for filling. A slower machine kills on a smaller database, and says so. */
const fillingShare = 0.7;
/** Stored at once, in a transaction without requests: through the API, filling took most of the time. */
const storedAtOnce = 1_000;
/** So many are left for the index when the kills begin. */
const leftPending = 500;
const snippetsInBatch = 100;
const writers = 6;
const searchers = 4;
const allowance = 1_000_000_000;
const words = ["invoice", "refund", "the", "delivery", "a", "customer"];

export const prove: Prove = async (run) => {
  const { form, seed, made, isOver, show } = run;
  const random = new Random(seed);
  const dataDirectory = temporaryDirectory();
  const settings = {
    ...(await databaseSettings(dataDirectory)),
    COMMONPLACE_DATABASE_CONNECTIONS: "8",
    COMMONPLACE_LOG_LEVEL: "warn",
  };
  const node = await openNode(dataDirectory);
  const workspace = await makeWorkspace(node, { allowance });
  const filled = await fill(node, workspace, run);
  await node.close();
  let service = await spawnService(dataDirectory, settings);
  const pending = await waitForIndex(dataDirectory, run);

  const busy = cpus().map(() => Bun.spawn([process.execPath, "-e", "for (;;) {}"], { stdout: "ignore", env: {} }));
  const seconds: number[] = [];
  try {
    while (seconds.length < killsOf[form] && (!isOver() || seconds.length === 0)) {
      const load = startLoad(service, workspace);
      await Bun.sleep(random.integer(500, 4_000));
      service.kill("SIGKILL");
      await service.ended;
      const killedAt = performance.now();
      service = await spawnService(dataDirectory, settings);
      await service.clientFor(workspace.key).getMe();
      seconds.push((performance.now() - killedAt) / 1_000);
      made.inputs += await load.stop();
      made.runs = seconds.length;
      show(
        `${seconds.length} of ${killsOf[form]} kills`,
        fillingShare + (1 - fillingShare) * (seconds.length / killsOf[form]),
      );
    }
  } finally {
    for (const child of busy) child.kill("SIGKILL");
    service.kill("SIGKILL");
    await service.ended;
  }
  const longest = Math.max(...seconds);
  const line = `longest of ${seconds.length}: ${longest.toFixed(2)} s, with ${numbers(filled)} snippets, ${numbers(filled - pending)} of them in the index`;
  if (longest > secondsMax) throw new Error(`a start took too long: ${line}`);
  return [line];
};

const numbers = (value: number): string => value.toLocaleString("en-US");

const titleOf = (number: number): string => `Snippet ${number}`;
const textOf = (number: number): string =>
  `${words[number % words.length]} ${Bun.hash(String(number)).toString(36)} `.repeat(10);

const bodyOf = (first: number, teamId: string) => ({
  snippets: Array.from({ length: snippetsInBatch }, (_, index) => ({
    title: titleOf(first + index),
    content: text(textOf(first + index)),
    teamId,
  })),
});

/** @returns how many snippets there is time for */
async function fill(node: Database, workspace: Workspace, { form, isOver, show }: Run): Promise<number> {
  const count = snippetsOf[form];
  let filled = 0;
  for (; filled < count && !isOver(fillingShare); filled += storedAtOnce) {
    await node.transaction(async (transaction) => {
      const snippets = Array.from({ length: storedAtOnce }, (_, index) => ({
        id: transaction.newId(),
        team_id: workspace.teamId,
        folder_id: null,
        title: titleOf(filled + index),
        snippet_note: null,
        shortcut: null,
        has_tags: false,
        variation_count: 1,
        content_type: "plaintext",
        content: textOf(filled + index),
      }));
      insertSnippets(transaction, workspace.id, workspace.keys[0]?.id ?? "", snippets);
      const ids = snippets.map(({ id }) => id);
      await indexSnippets(transaction, workspace.id, ids);
    });
    show(`${numbers(filled)} of ${numbers(count)} snippets stored`, (fillingShare / 4) * (filled / count));
  }
  return filled;
}

/** Waits until the service has put nearly all snippets into the index, while there is time. @returns how many are left */
async function waitForIndex(dataDirectory: string, { form, isOver, show }: Run): Promise<number> {
  const rows = engine.rowsOf(dataDirectory);
  for (;;) {
    const [found] = await rows<{ waiting: number | null }>("select sum(snippet_count) as waiting from search_pending");
    const waiting = Number(found?.waiting ?? 0);
    if (waiting <= leftPending || isOver(fillingShare)) return waiting;
    show(`${numbers(waiting)} snippets left for the index`, fillingShare * (1 - waiting / snippetsOf[form] / 2));
    await Bun.sleep(1_000);
  }
}

/** Clients that write and search until they are stopped, and whose requests fail when the service is killed. */
function startLoad(service: ServiceProcess, { key, teamId }: Workspace) {
  const client = service.clientFor(key);
  let isOver = false;
  let requests = 0;
  const work = async (send: () => Promise<unknown>) => {
    while (!isOver) {
      await send().catch(() => Bun.sleep(1));
      requests += 1;
    }
  };
  const working = [
    ...Array.from({ length: writers }, () => work(() => client.postSnippets(bodyOf(requests, teamId)))),
    ...Array.from({ length: searchers }, () =>
      work(() => client.getSearch({ query: words[requests % words.length] ?? "" })),
    ),
  ];
  return {
    stop: async () => {
      isOver = true;
      await Promise.all(working);
      return requests;
    },
  };
}
