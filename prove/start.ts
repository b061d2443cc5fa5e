// A service that was killed under load responds again within seconds, however large its database is: it is filled, then killed again and
// again while clients write and search, beside programs that keep every processor busy.
import { cpus } from "node:os";
import { databaseSettings, openNode } from "../test/support/engine.ts";
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
    COMMONPLACE_LOG: "warn",
  };
  let service = await spawnService(dataDirectory, settings);
  const node = await openNode(dataDirectory);
  const workspace = await makeWorkspace(node, { allowance });
  await node.close();
  const filled = await fill(service, workspace, run);

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
  const line = `longest of ${seconds.length}: ${longest.toFixed(2)} s, with ${filled.toLocaleString("en-US")} snippets`;
  if (longest > secondsMax) throw new Error(`a start took too long: ${line}`);
  return [line];
};

const bodyOf = (first: number, teamId: string) => ({
  snippets: Array.from({ length: snippetsInBatch }, (_, index) => ({
    title: `Snippet ${first + index}`,
    content: text(`${words[index % words.length]} ${Bun.hash(String(first + index)).toString(36)} `.repeat(10)),
    teamId,
  })),
});

async function fill(service: ServiceProcess, { key, teamId }: Workspace, { form, isOver, show }: Run): Promise<number> {
  const client = service.clientFor(key);
  const count = snippetsOf[form];
  let [next, filled] = [0, 0];
  const write = async () => {
    while (next < count && !isOver(fillingShare)) {
      const first = next;
      next += snippetsInBatch;
      await client.postSnippets(bodyOf(first, teamId));
      filled += snippetsInBatch;
      show(`${filled} of ${count} snippets`, (fillingShare * filled) / count);
    }
  };
  await Promise.all(Array.from({ length: writers }, write));
  return filled;
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
