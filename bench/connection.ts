// HTTP/1.1 connections over TLS for the load generators, with one request in flight on each.
import type { Socket } from "bun";

/** Called when a response is complete. @param isGood its status is 200 */
type Answered = (isGood: boolean) => void;

interface State {
  /** Bytes that the socket has not accepted yet. */
  unsent: Buffer;
  /** The head of the response, until it is complete. */
  head: string;
  /** Bytes of the body that are still to come; undefined before the head is complete, infinite where only the end tells. */
  missingBytes: number | undefined;
  /** The last bytes of a body in chunks. */
  tail: string;
  isGood: boolean;
  answered: Answered | undefined;
  readonly opened: (connection: Connection) => void;
  readonly failed: () => void;
}

export interface Connection {
  readonly send: (request: string, answered: Answered) => void;
  readonly close: () => void;
}

const headEnd = "\r\n\r\n";
const lastChunk = "\r\n0\r\n\r\n";

/** Opens a connection to a port of this machine. @param failed called when it is closed with a request in flight */
export const connect = (port: number, failed: () => void): Promise<Connection> =>
  new Promise((resolve, reject) => {
    Bun.connect<State>({
      hostname: "127.0.0.1",
      port,
      // The certificate is made for this run. The benchmark measures encryption, not trust.
      tls: { rejectUnauthorized: false },
      data: {
        unsent: Buffer.alloc(0),
        head: "",
        missingBytes: undefined,
        tail: "",
        isGood: false,
        answered: undefined,
        opened: resolve,
        failed,
      },
      socket: {
        handshake: (socket) =>
          socket.data.opened({
            send: (request, answered) => {
              Object.assign(socket.data, { head: "", missingBytes: undefined, tail: "", answered });
              write(socket, Buffer.from(request, "latin1"));
            },
            close: () => {
              socket.data.answered = undefined;
              socket.end();
            },
          }),
        drain: (socket) => {
          if (socket.data.unsent.length > 0) write(socket, socket.data.unsent);
        },
        data: (socket, bytes) => receive(socket.data, bytes),
        close: ({ data }) => {
          if (data.answered) data.failed();
        },
      },
    }).catch(reject);
  });

function write(socket: Socket<State>, bytes: Buffer): void {
  socket.data.unsent = bytes.subarray(Math.max(0, socket.write(bytes)));
}

/** A response has a declared length, or ends with an empty chunk. */
function receive(state: State, bytes: Buffer): void {
  if (state.missingBytes === undefined) {
    const headBefore = state.head.length;
    state.head += bytes.toString("latin1");
    const end = state.head.indexOf(headEnd);
    if (end < 0) return;
    const length = /\r\ncontent-length: (\d+)/i.exec(state.head)?.[1];
    state.isGood = state.head.startsWith("HTTP/1.1 200");
    state.missingBytes =
      length === undefined
        ? Number.POSITIVE_INFINITY
        : Number(length) - (headBefore + bytes.length - end - headEnd.length);
  } else state.missingBytes -= bytes.length;
  if (state.missingBytes === Number.POSITIVE_INFINITY) {
    // It may be split between two packets.
    state.tail = (state.tail + bytes.toString("latin1")).slice(-lastChunk.length);
    if (state.tail === lastChunk) state.missingBytes = 0;
  }
  if (state.missingBytes > 0) return;
  const { answered, isGood } = state;
  state.answered = undefined;
  answered?.(isGood);
}
