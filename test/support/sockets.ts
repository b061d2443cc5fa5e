// Raw connections, for what `fetch` hides: TLS versions, half a request, plain text on the TLS port.
import { connect as connectPlainly, type Socket } from "node:net";
import { type ConnectionOptions, connect as connectSecurely, type TLSSocket } from "node:tls";

export interface WireAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came, and asserts on it.
  readonly body: any;
}

/** Opens a TLS connection. @throws the error of the handshake */
export const openTls = (port: number, options: ConnectionOptions = {}): Promise<TLSSocket> =>
  new Promise((resolve, reject) => {
    const socket = connectSecurely({ host: "127.0.0.1", servername: "localhost", port, ...options });
    socket.once("error", reject);
    socket.once("secureConnect", () => resolve(socket));
  });

export const openPlain = (port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connectPlainly({ host: "127.0.0.1", port });
    socket.once("error", reject);
    socket.once("connect", () => resolve(socket));
  });

/** Everything received until the other end closes or resets the connection. */
export const readToEnd = (socket: Socket): Promise<string> =>
  new Promise((resolve) => {
    let text = "";
    socket.on("data", (chunk: Buffer) => {
      text += chunk.toString("latin1");
    });
    socket.on("error", () => undefined);
    socket.on("close", () => resolve(text));
  });

/** Sends the text and reads one response. The request must ask for the connection to be closed. */
export async function exchange(socket: Socket, request: string): Promise<WireAnswer> {
  const ending = readToEnd(socket);
  socket.write(request);
  return parseAnswer(await ending);
}

/** A request as sent over the connection, which it closes. */
export const requestText = (
  method: string,
  target: string,
  headers: Readonly<Record<string, string>> = {},
  body = "",
): string =>
  [
    `${method} ${target} HTTP/1.1`,
    "Host: localhost",
    "Connection: close",
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === "" ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]),
    "",
    body,
  ].join("\r\n");

/** @throws if the last chunk is missing: the response was cut off */
function joinChunks(sent: string): string {
  const bytes = Buffer.from(sent);
  const chunks: Buffer[] = [];
  for (let at = 0; ; ) {
    const end = bytes.indexOf("\r\n", at);
    if (end === -1) throw new Error("the response was cut off");
    const size = Number.parseInt(bytes.toString("latin1", at, end), 16);
    if (size === 0) return Buffer.concat(chunks).toString();
    chunks.push(bytes.subarray(end + 2, end + 2 + size));
    at = end + 2 + size + 2;
  }
}

export function parseAnswer(wire: string): WireAnswer {
  const [head = "", ...rest] = wire.split("\r\n\r\n");
  const [statusLine = "", ...lines] = head.split("\r\n");
  const headers: Record<string, string> = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]),
  );
  const sent = rest.join("\r\n\r\n");
  const text = headers["transfer-encoding"] === "chunked" ? joinChunks(sent) : sent;
  return {
    status: Number(statusLine.split(" ")[1]),
    headers,
    text,
    body: text.startsWith("{") ? JSON.parse(text) : undefined,
  };
}
