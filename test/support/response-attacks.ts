// Clients that try to exhaust the service with large responses: fast readers, slow readers, and HTTP/2 connections with a closed window.
import type { TLSSocket } from "node:tls";
import { FrameConnection, frames, requestBlock, settingIds } from "./http2-frames.ts";
import { openTls } from "./sockets.ts";

/** What a client asks for. */
export interface Aim {
  readonly port: number;
  /** Undefined: any certificate will do. */
  readonly ca?: string;
  readonly key: string;
  /** The path with its query. */
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const connect = ({ port, ca }: Aim): Promise<TLSSocket> =>
  openTls(port, ca === undefined ? { rejectUnauthorized: false } : { ca });

const headOf = ({ target, key, headers = {} }: Aim): string =>
  [
    `GET ${target} HTTP/1.1`,
    "Host: localhost",
    `Authorization: Bearer ${key}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    "",
    "",
  ].join("\r\n");

export interface Reading {
  /** How many responses had each status. */
  readonly statuses: Record<number, number>;
  bytes: number;
}

/** Asks again as soon as a response was read, until it is over. */
export async function readFast(aim: Aim, isOver: () => boolean): Promise<Reading> {
  const reading: Reading = { statuses: {}, bytes: 0 };
  while (!isOver()) await readOnConnection(aim, isOver, reading);
  return reading;
}

const headEnd = "\r\n\r\n";
const lastChunk = "0\r\n\r\n";

async function readOnConnection(aim: Aim, isOver: () => boolean, reading: Reading): Promise<void> {
  const socket = await connect(aim);
  socket.on("error", () => undefined);
  let head = "";
  /** Undefined for a body in chunks. */
  let bytesLeft: number | undefined;
  let tail = "";
  const ask = () => {
    head = "";
    if (isOver()) socket.destroy();
    else socket.write(headOf(aim));
  };
  const readHead = (chunk: Buffer): Buffer => {
    const before = head.length;
    head += chunk.toString("latin1");
    const end = head.indexOf(headEnd);
    if (end < 0) return Buffer.alloc(0);
    const status = Number(head.split(" ")[1]);
    reading.statuses[status] = (reading.statuses[status] ?? 0) + 1;
    const length = /content-length: (\d+)/i.exec(head)?.[1];
    bytesLeft = length === undefined ? undefined : Number(length);
    head = head.slice(0, end + headEnd.length);
    return chunk.subarray(head.length - before);
  };
  socket.on("data", (chunk: Buffer) => {
    reading.bytes += chunk.length;
    const body = head.endsWith(headEnd) ? chunk : readHead(chunk);
    if (!head.endsWith(headEnd)) return;
    if (bytesLeft !== undefined) bytesLeft -= body.length;
    tail = (tail + body.subarray(-lastChunk.length).toString("latin1")).slice(-lastChunk.length);
    if (bytesLeft === undefined ? tail === lastChunk : bytesLeft <= 0) ask();
  });
  ask();
  await new Promise((resolve) => socket.once("close", resolve));
}

export interface SlowReader {
  readonly bytes: () => number;
  readonly isClosed: () => boolean;
  /** The last bytes so far. */
  readonly end: () => string;
  /** Reads the rest as fast as it comes. */
  readonly readOn: () => void;
  /** Resolves when the service has closed the connection, whatever was read of it. */
  readonly isDisconnected: Promise<void>;
  readonly stop: () => void;
}

const slowTicksPerSecond = 4;

/** Asks once, and reads so many bytes in a second, at least one piece. */
export async function readSlowly(aim: Aim, bytesPerSecond: number): Promise<SlowReader> {
  const socket = await connect(aim);
  let [bytes, allowed, isClosed, end] = [0, 0, false, ""];
  const isDisconnected = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  const timer = setInterval(() => {
    allowed += bytesPerSecond / slowTicksPerSecond;
    if (bytes < allowed) socket.resume();
  }, 1_000 / slowTicksPerSecond);
  socket.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    end = (end + chunk.subarray(-lastChunk.length).toString("latin1")).slice(-lastChunk.length);
    if (bytes >= allowed) socket.pause();
  });
  socket.on("error", () => undefined);
  socket.on("close", () => {
    isClosed = true;
    clearInterval(timer);
  });
  socket.write(headOf(aim));
  const readOn = () => {
    allowed = Number.POSITIVE_INFINITY;
    socket.resume();
  };
  return {
    bytes: () => bytes,
    isClosed: () => isClosed,
    end: () => end,
    readOn,
    isDisconnected,
    stop: () => socket.destroy(),
  };
}

/** Asks on so many streams of one HTTP/2 connection, and lets none of them send a byte of its body. */
export async function holdStreams(
  { port, key, target, headers }: Omit<Aim, "key"> & { readonly key: string | undefined },
  streams: number,
): Promise<FrameConnection> {
  const connection = await FrameConnection.open(port, [[settingIds.initialWindowSize, 0]]);
  const block = requestBlock({ path: target, key, headers: headers ?? {} });
  for (let number = 0; number < streams; number += 1)
    await connection.send(frames.headers(connection.nextStream(), block));
  return connection;
}
