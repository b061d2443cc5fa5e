// Every attack by its name: floods, large responses with all kinds of readers, and large bodies.
import { type Attack, type Damage, attacks as floods, type Target } from "../test/support/floods.ts";
import { deepYaml } from "../test/support/nestings.ts";
import { type Aim, holdStreams, readFast, readSlowly } from "../test/support/response-attacks.ts";

const slowBytesPerSecond = 16 * 1024;
const streamsOfConnection = 20;
const checkMilliseconds = 20;

/** Runs `ask` on so many connections at a time, which take turns with the requests. */
const onAims =
  (ask: (aim: Aim, damage: Damage, isOver: () => boolean) => Promise<void>): Attack =>
  async ({ port, connections, requests, isOver }: Target) => {
    const damage: Damage = { connections: 0, sent: 0, answered: 0, ended: 0 };
    const worker = async (_: unknown, index: number) => {
      const { path: target, key = "" } = requests[index % requests.length] ?? requests[0];
      while (!isOver()) {
        damage.connections += 1;
        await ask({ port, key, target }, damage, isOver);
      }
    };
    await Promise.all(Array.from({ length: connections }, worker));
    return damage;
  };

const until = async (isTrue: () => boolean): Promise<void> => {
  while (!isTrue()) await Bun.sleep(checkMilliseconds);
};

/** Each asks again as soon as it has read the response. */
const fastReaders = onAims(async (aim, damage, isOver) => {
  const { statuses } = await readFast(aim, isOver);
  damage.answered += Object.values(statuses).reduce((sum, count) => sum + count, 0);
});

const slowReaders = onAims(async (aim, damage, isOver) => {
  const reader = await readSlowly(aim, slowBytesPerSecond);
  await until(() => isOver() || reader.isClosed());
  if (reader.isClosed()) damage.ended += 1;
  reader.stop();
});

/** They ask for many responses over HTTP/2, and take no byte of their bodies. */
const unread = onAims(async (aim, damage, isOver) => {
  const connection = await holdStreams(aim, streamsOfConnection);
  damage.sent += streamsOfConnection;
  await until(() => isOver() || connection.isClosed);
  damage.answered += connection.received.headers;
  if (connection.isClosed) damage.ended += 1;
  await connection.close();
});

/** Files of YAML that nests, as large as a thread and as a process reads them, to formats that begin it differently. */
const fileSizes = [4_000, 64 * 1024];
const fileHead = { espanso: "matches: ", markdown: "---\ntitle: " } as const;
const nestedFiles = onAims(async ({ port, key, target }, damage, isOver) => {
  const head = target.includes("format=espanso") ? fileHead.espanso : fileHead.markdown;
  for (const size of fileSizes)
    for (const nesting of Object.values(deepYaml)) {
      if (isOver()) return;
      damage.sent += 1;
      // A file that waits for its turn is not waited for at the end.
      const answer = fetch(`https://localhost:${port}${target}`, {
        method: "POST",
        headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/octet-stream" },
        body: `${head}${nesting(size)}\n---\n`,
        tls: { rejectUnauthorized: false },
      });
      await Promise.race([answer.then((response) => response.arrayBuffer()), until(isOver)]);
      if (!isOver()) damage.answered += 1;
    }
});

export const attacks = { ...floods, fastReaders, slowReaders, unread, nestedFiles } as const satisfies Record<
  string,
  Attack
>;
export type AttackName = keyof typeof attacks;
