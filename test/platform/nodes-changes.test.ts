// The change feed on two nodes at once: what readers see is what was acknowledged, in one order, nothing twice.
import { expect, test } from "bun:test";
import { noteChangesIn } from "../../src/library/feed/write.ts";
import { isOnPostgres, onPostgres } from "../support/nodes.ts";
import { call, database, fewerRounds, withTwoNodes, workspace } from "../support/two-nodes.ts";

withTwoNodes();

const writers = 8;
const readers = 4;

test.skipIf(!isOnPostgres)(
  onPostgres("readers on both nodes see every acknowledged change once, in the same order"),
  async () => {
    const begin = (await call(0, "getChanges", {})).body.data.cursor;
    const acknowledged: string[][] = [];
    let isDone = false;
    let number = 0;
    const write = async (writer: number) => {
      for (let round = 0; round < fewerRounds; round += 1) {
        number += 1;
        const made = number;
        if (made % 5 === 0) {
          // As people's work does, in a transaction that is not a request's.
          const ids = [Bun.randomUUIDv7()];
          await database(writer).transaction(async (transaction) =>
            noteChangesIn(
              transaction,
              workspace.id,
            )(ids.map((id) => ({ kind: "snippet", action: "changed", id, teamId: workspace.teamId }))),
          );
          acknowledged.push(ids);
          continue;
        }
        const title = `${writer} ${round}`;
        const snippets = Array.from({ length: 1 + (made % 3) }, () => ({
          ...{ title, content: { type: "plaintext", content: title } },
          teamId: made % 2 === 0 ? workspace.teamId : workspace.otherTeamId,
        }));
        const { status, body } = await call(writer * 7 + round, "postSnippets", { body: { snippets } });
        expect(status).toBe(200);
        const ids = body.data.createdSnippets.map(({ snippetId }: { snippetId: string }) => snippetId);
        acknowledged.push(ids);
      }
    };
    const read = async (reader: number) => {
      const seen: string[] = [];
      for (let [since, isLast] = [begin, false]; ; ) {
        const query = { since, limit: String(1 + reader * 30), wait: reader % 2 === 0 ? "1" : "0" };
        const { status, body } = await call(30 + reader, "getChanges", { query });
        expect(status).toBe(200);
        seen.push(...body.data.changes.map(({ id }: { id: string }) => id));
        since = body.data.cursor;
        if (isLast && body.data.changes.length === 0) return seen;
        isLast = isDone;
      }
    };
    const reading = Promise.all(Array.from({ length: readers }, (_, reader) => read(reader)));
    await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
    isDone = true;
    const [first = [], ...others] = await reading;
    for (const seen of others) expect(seen).toEqual(first);
    expect(first.length).toBe(new Set(first).size);
    expect(first.toSorted()).toEqual(acknowledged.flat().sort());
    // What one request changed stays together.
    for (const ids of acknowledged) expect(first.slice(first.indexOf(ids[0] ?? "")).slice(0, ids.length)).toEqual(ids);
  },
);
