// The second part of P14: three nodes on one PostgreSQL with its own clock, 200 keys, and clients that wait exactly as long as they are told.
import { engine } from "../test/support/engine.ts";
import { makeWorkspace, startNode } from "../test/support/nodes.ts";
import { temporaryDirectory } from "../test/support/service.ts";
import type { Run } from "./proof.ts";
import { Random } from "./random.ts";

const keyCount = 200;
const limit = 20;
const windowMilliseconds = 60_000;
const rounds = 2;

/** @returns what was made, in one line. @throws where a window has more calls than the limit, or waiting was not enough */
export async function proveThreeNodes(run: Run): Promise<string> {
  const directory = temporaryDirectory();
  const location = await engine.prepare(directory);
  if (location.engine !== "postgres") throw new Error("three nodes share a PostgreSQL");
  const nodes = await Promise.all(
    [1, 2, 3].map(() => startNode(location.url, { connections: 10, requestsPerMinute: limit })),
  );
  const random = new Random(run.seed);
  try {
    const [first] = nodes;
    if (!first) throw new Error("no node");
    const workspace = await makeWorkspace(first.database, { keys: keyCount });
    const ask = async (secret: string): Promise<{ isAdmitted: boolean; seconds: number }> => {
      const answer = await random.pick(nodes).call(secret, "GET", "/me");
      run.made.inputs += 1;
      // A machine that is too busy admits nothing, and says so.
      if (answer.status === 503) return ask(secret);
      if (answer.status !== 200 && answer.status !== 429) throw new Error(`${answer.status}: ${answer.body.message}`);
      return { isAdmitted: answer.status === 200, seconds: Number(answer.headers.get("retry-after")) };
    };
    let admitted = 0;
    for (let round = 1; round <= rounds; round += 1) {
      run.show(`round ${round} of ${rounds} on three nodes with ${keyCount} keys`, round / (rounds + 1));
      // All calls of a key at once, and the keys one after another.
      let before: Promise<unknown> = Promise.resolve();
      const lives = workspace.keys.map(async ({ secret }) => {
        const burst = before.then(() => Promise.all(Array.from({ length: limit + 5 }, () => ask(secret))));
        before = burst;
        const answers = await burst;
        const served = answers.filter(({ isAdmitted }) => isAdmitted).length;
        if (served !== limit) throw new Error(`${served} of ${answers.length} calls at once were admitted`);
        const told = Math.min(...answers.filter(({ isAdmitted }) => !isAdmitted).map(({ seconds }) => seconds));
        await Bun.sleep(told * 1_000);
        const next = await ask(secret);
        if (!next.isAdmitted) throw new Error(`a call ${told} seconds later, as Retry-After said, was refused`);
        admitted += served + 1;
      });
      await Promise.all(lives);
      // The window of every key is empty again.
      if (round < rounds) await Bun.sleep(windowMilliseconds);
    }
    const rows = await engine.rowsOf(directory)<{ key_id: string; admitted_at: string }>(
      "select key_id, admitted_at from ledger where workspace_id = ? order by key_id, admitted_at",
      workspace.id,
    );
    if (rows.length !== admitted) throw new Error(`the ledger has ${rows.length} calls, and ${admitted} were admitted`);
    const worst = worstWindow(rows.map(({ key_id, admitted_at }) => ({ key: key_id, at: Date.parse(admitted_at) })));
    if (worst > limit) throw new Error(`${worst} calls of a key are within 60 seconds in the ledger`);
    return `${admitted.toLocaleString("en-US")} calls of ${keyCount} keys on three nodes, at most ${worst} in 60 s; Retry-After was enough each time`;
  } finally {
    await Promise.all(nodes.map((node) => node.stop()));
    await engine.release(directory);
  }
}

/** The most calls of one key in any window. @param calls by key and time */
function worstWindow(calls: readonly { readonly key: string; readonly at: number }[]): number {
  let [worst, start] = [0, 0];
  for (const [index, { key, at }] of calls.entries()) {
    while (calls[start]?.key !== key || (calls[start]?.at ?? 0) <= at - windowMilliseconds) start += 1;
    worst = Math.max(worst, index - start + 1);
  }
  return worst;
}
