// Raw HTTP/2 frames over TLS, for what no HTTP library sends: streams that are reset at once, floods of control frames, endless headers.
import { once } from "node:events";
import type { TLSSocket } from "node:tls";
import { openTls } from "./sockets.ts";

const frameTypes = {
  data: 0,
  headers: 1,
  reset: 3,
  settings: 4,
  ping: 6,
  goAway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const;
export type FrameName = keyof typeof frameTypes;

const flags = { endStream: 1, ack: 1, endHeaders: 4 } as const;
const headerBytes = 9;
const preface = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");

/** The identifiers of settings. */
export const settingIds = { headerTableSize: 1, initialWindowSize: 4 } as const;
/** The error code with which a server ends a connection that sends too much. */
export const enhanceYourCalm = 11;

const frame = (name: FrameName, stream: number, payload: Uint8Array, bits = 0): Buffer => {
  const bytes = Buffer.alloc(headerBytes + payload.length);
  bytes.writeUIntBE(payload.length, 0, 3);
  bytes.writeUInt8(frameTypes[name], 3);
  bytes.writeUInt8(bits, 4);
  bytes.writeUInt32BE(stream, 5);
  bytes.set(payload, headerBytes);
  return bytes;
};

const number32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

export const frames = {
  /** @param isWhole no CONTINUATION follows  @param isLast no body follows */
  headers: (stream: number, block: Uint8Array, { isWhole = true, isLast = true } = {}): Buffer =>
    frame("headers", stream, block, (isWhole ? flags.endHeaders : 0) | (isLast ? flags.endStream : 0)),
  continuation: (stream: number, block: Uint8Array, { isWhole = false } = {}): Buffer =>
    frame("continuation", stream, block, isWhole ? flags.endHeaders : 0),
  data: (stream: number, bytes: Uint8Array, { isLast = false } = {}): Buffer =>
    frame("data", stream, bytes, isLast ? flags.endStream : 0),
  /** Cancels a stream. */
  reset: (stream: number): Buffer => frame("reset", stream, number32(8)),
  settings: (...entries: readonly (readonly [id: number, value: number])[]): Buffer =>
    frame("settings", 0, Buffer.concat(entries.map(([id, value]) => Buffer.from([0, id, ...number32(value)])))),
  settingsAck: (): Buffer => frame("settings", 0, Buffer.alloc(0), flags.ack),
  ping: (): Buffer => frame("ping", 0, Buffer.alloc(8)),
  windowUpdate: (stream: number, bytes: number): Buffer => frame("windowUpdate", stream, number32(bytes)),
};

/** A length in HPACK, with a prefix of seven bits. */
function lengthOf(text: string): number[] {
  const prefixMax = 127;
  let rest = Buffer.byteLength(text);
  if (rest < prefixMax) return [rest];
  const bytes = [prefixMax];
  rest -= prefixMax;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  return [...bytes, rest];
}

const literal = (kind: number, name: string, value: string): Buffer =>
  Buffer.concat([
    Buffer.from([kind, ...lengthOf(name)]),
    Buffer.from(name),
    Buffer.from(lengthOf(value)),
    Buffer.from(value),
  ]);

/** A header that the decoder does not remember. */
export const header = (name: string, value: string): Buffer => literal(0, name, value);
/** A header that the decoder remembers, so that `repeated` can name it in one byte. */
export const remembered = (name: string, value: string): Buffer => literal(0x40, name, value);
/** The header that was remembered last, `times` times. */
export const repeated = (times: number): Buffer => Buffer.alloc(times, 0x80 | 62);

export interface RawRequest {
  readonly method?: string;
  readonly path: string;
  readonly key?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The header block of a request. */
export const requestBlock = ({ method = "GET", path, key, headers: others = {} }: RawRequest): Buffer =>
  Buffer.concat(
    Object.entries({
      ":method": method,
      ":scheme": "https",
      ":authority": "localhost",
      ":path": path,
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...others,
    }).map(([name, value]) => header(name, value)),
  );

/** A connection that sends whatever frames it is given, and counts those that it receives. */
export class FrameConnection {
  readonly received: Record<FrameName, number> = {
    data: 0,
    headers: 0,
    reset: 0,
    settings: 0,
    ping: 0,
    goAway: 0,
    windowUpdate: 0,
    continuation: 0,
  };
  /** The streams whose responses were received to their end. */
  readonly answered = new Set<number>();
  /** The first byte of the last header block that was received: 0x88 is status 200. */
  lastStatusByte: number | undefined;
  /** Why the server ended the connection, if it said so. */
  goAwayCode: number | undefined;
  isClosed = false;
  /** Resolves when the connection is closed, by whomever. */
  readonly closed: Promise<void>;
  readonly #socket: TLSSocket;
  readonly #watchers = new Set<() => void>();
  #rest: Buffer = Buffer.alloc(0);
  #lastStream = -1;

  private constructor(socket: TLSSocket) {
    this.#socket = socket;
    this.closed = new Promise((resolve) => {
      socket.once("close", () => {
        this.isClosed = true;
        this.#wake();
        resolve();
      });
    });
    socket.on("error", () => undefined);
    socket.on("data", (bytes: Buffer) => this.#receive(bytes));
  }

  /** Connects, and sends the preface with these settings. */
  static async open(port: number, settings: readonly (readonly [number, number])[] = []): Promise<FrameConnection> {
    const connection = new FrameConnection(await openTls(port, { ALPNProtocols: ["h2"], rejectUnauthorized: false }));
    await connection.send(preface, frames.settings(...settings));
    // The acknowledgment of the server's settings must not come between the frames of a header block.
    await connection.until(() => connection.received.settings > 0);
    return connection;
  }

  /** The number of a new stream. */
  nextStream(): number {
    this.#lastStream += 2;
    return this.#lastStream;
  }

  /** Writes these frames at once. Resolves when the system has taken them, unless reading is paused, and what came meanwhile was read. */
  async send(...bytes: readonly Buffer[]): Promise<void> {
    if (this.isClosed || this.#socket.destroyed) return;
    const isTaken = this.#socket.write(Buffer.concat(bytes));
    const drained =
      isTaken || this.#socket.isPaused()
        ? new Promise(setImmediate)
        : once(this.#socket, "drain").catch(() => this.closed);
    await Promise.race([drained, this.closed]);
  }

  /** Resolves when the condition holds, which is looked at after each frame, or when the connection is closed. */
  until(condition: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (!this.isClosed && !condition()) return;
        this.#watchers.delete(look);
        resolve();
      };
      this.#watchers.add(look);
      look();
    });
  }

  /** Stops reading, so that the server has to keep what it sends. */
  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  async close(): Promise<void> {
    this.#socket.destroy();
    await this.closed;
  }

  #receive(bytes: Buffer): void {
    this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    let at = 0;
    while (this.#rest.length - at >= headerBytes) {
      const length = this.#rest.readUIntBE(at, 3);
      if (this.#rest.length - at < headerBytes + length) break;
      this.#count(this.#rest.subarray(at, at + headerBytes + length));
      at += headerBytes + length;
    }
    this.#rest = this.#rest.subarray(at);
    this.#wake();
  }

  #count(bytes: Buffer): void {
    const type = bytes.readUInt8(3);
    const bits = bytes.readUInt8(4);
    for (const [name, number] of Object.entries(frameTypes)) if (number === type) this.received[name as FrameName] += 1;
    const canEnd = type === frameTypes.data || type === frameTypes.headers;
    if (canEnd && bits & flags.endStream) this.answered.add(bytes.readUInt32BE(5));
    if (type === frameTypes.headers) this.lastStatusByte = bytes.readUInt8(headerBytes);
    if (type === frameTypes.goAway) this.goAwayCode = bytes.readUInt32BE(headerBytes + 4);
    if (type === frameTypes.settings && !(bits & flags.ack)) void this.send(frames.settingsAck());
  }

  #wake(): void {
    for (const look of [...this.#watchers]) look();
  }
}
