// A proxy between a service and PostgreSQL that understands just enough of the protocol to lose or replace a commit's answer.
import { connect, createServer, type Socket } from "node:net";

/**
 * What happens to a commit: forwarded, lost before the server, cut off while the server runs it, its response lost, or replaced by the last
 * words of a server that could not write its log. In the last case, the commit did not even reach the server.
 */
export type Fate =
  | "passes"
  | "never arrives"
  | "is cut off under way"
  | "loses its answer"
  | "is carried out and called a failure"
  | "fails";

export interface PostgresProxy {
  readonly port: number;
  /** Decides what happens to each commit. */
  decide: (numberOfCommit: number) => Fate;
  /** While false, new connections are closed at once, and the next cut closes all open ones. */
  isReachable: boolean;
  /** The error with which a commit fails. */
  failure: { readonly code: string; readonly message: string };
  readonly commits: () => number;
  /** The number of connections cut at a commit. */
  readonly cuts: () => number;
  /** Closes every open connection. */
  readonly cutAll: () => void;
  readonly close: () => Promise<void>;
}

const lengthBytes = 4;
const cutMilliseconds = 5;

export async function startPostgresProxy(serverPort: number): Promise<PostgresProxy> {
  const pairs = new Set<{ client: Socket; server: Socket }>();
  let [commits, cuts] = [0, 0];
  const listener = createServer((client) => {
    if (!proxy.isReachable) {
      client.destroy();
      return;
    }
    const server = connect({ host: "127.0.0.1", port: serverPort });
    const pair = { client, server };
    pairs.add(pair);
    const cut = () => {
      pairs.delete(pair);
      client.destroy();
      server.destroy();
      if (!proxy.isReachable) proxy.cutAll();
    };
    for (const socket of [client, server]) socket.on("error", cut).on("close", cut);

    let [isAnswerLost, isAnswerReplaced] = [false, false];
    let lastWords: Buffer | undefined;
    const statements = new Map<string, string>();
    const readClient = readMessages(false, (type, message) => {
      const [first = "", second = ""] = type === "P" || type === "B" ? stringsOf(message, 2) : [];
      if (type === "P") statements.set(first, second);
      if (type !== "B" || statements.get(second) !== "commit") return "forward";
      commits += 1;
      const fate = proxy.decide(commits);
      if (fate === "passes") return "forward";
      cuts += 1;
      if (fate === "never arrives") return "cut";
      if (fate === "fails") {
        lastWords = panicOf(proxy.failure);
        return "cut";
      }
      if (fate === "loses its answer") isAnswerLost = true;
      else if (fate === "is carried out and called a failure") isAnswerReplaced = true;
      // The execute and sync messages in the same chunk still get through.
      else setTimeout(cut, cutMilliseconds);
      return "forward";
    });
    const readServer = readMessages(true, (type, message) => {
      if (!(type === "C" && stringsOf(message, 1)[0] === "COMMIT")) return "forward";
      if (isAnswerReplaced) lastWords = panicOf(proxy.failure);
      return isAnswerLost || isAnswerReplaced ? "cut" : "forward";
    });
    const pass = (read: ReturnType<typeof readMessages>, to: Socket) => (chunk: Buffer) => {
      const { forwarded, isCut } = read(chunk);
      if (forwarded.length > 0 && to.writable) to.write(forwarded);
      if (!isCut) return;
      if (lastWords) client.end(lastWords, cut);
      else cut();
    };
    client.on("data", pass(readClient, server));
    server.on("data", pass(readServer, client));
  });
  const proxy: PostgresProxy = {
    port: 0,
    decide: () => "passes",
    isReachable: true,
    failure: { code: "58030", message: "could not fdatasync file" },
    commits: () => commits,
    cuts: () => cuts,
    cutAll: () => {
      for (const { client, server } of [...pairs]) for (const socket of [client, server]) socket.destroy();
      pairs.clear();
    },
    close: async () => {
      proxy.cutAll();
      await new Promise((resolve) => listener.close(resolve));
    },
  };
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const address = listener.address();
  return Object.assign(proxy, { port: typeof address === "object" && address ? address.port : 0 });
}

/** The message of a server process that ends, and every other one with it. */
function panicOf({ code, message }: PostgresProxy["failure"]): Buffer {
  const fields = Buffer.from(["SPANIC", "VPANIC", `C${code}`, `M${message}`, "", ""].join("\0"), "latin1");
  const head = Buffer.alloc(1 + lengthBytes);
  head.write("E");
  head.writeUInt32BE(lengthBytes + fields.length, 1);
  return Buffer.concat([head, fields]);
}

/** Splits a stream into messages. A client's first message has no type. */
function readMessages(hasTypedStart: boolean, decide: (type: string, message: Buffer) => "forward" | "cut") {
  let rest = Buffer.alloc(0);
  let isStarted = hasTypedStart;
  return (chunk: Buffer): { forwarded: Buffer; isCut: boolean } => {
    rest = Buffer.concat([rest, chunk]);
    const forwarded: Buffer[] = [];
    for (;;) {
      const typeBytes = isStarted ? 1 : 0;
      if (rest.length < typeBytes + lengthBytes) break;
      const end = typeBytes + rest.readUInt32BE(typeBytes);
      if (rest.length < end) break;
      const message = rest.subarray(0, end);
      rest = rest.subarray(end);
      const type = String.fromCharCode(message[0] ?? 0);
      if (isStarted && decide(type, message.subarray(typeBytes + lengthBytes)) === "cut")
        return { forwarded: Buffer.concat(forwarded), isCut: true };
      isStarted = true;
      forwarded.push(message);
    }
    return { forwarded: Buffer.concat(forwarded), isCut: false };
  };
}

/** The first `count` zero-terminated strings of a message. */
function stringsOf(message: Buffer, count: number): string[] {
  const texts: string[] = [];
  let at = 0;
  while (texts.length < count) {
    const end = message.indexOf(0, at);
    texts.push(message.toString("latin1", at, end));
    at = end + 1;
  }
  return texts;
}
