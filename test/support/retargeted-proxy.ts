// A TCP proxy whose target changes, as an address does when a standby takes over.
import { connect, createServer, type Socket } from "node:net";

export interface RetargetedProxy {
  readonly port: number;
  /** Closes all connections; new ones go to this port. */
  readonly pointTo: (port: number) => void;
  readonly close: () => Promise<void>;
}

export async function startRetargetedProxy(firstTarget: number): Promise<RetargetedProxy> {
  let target = firstTarget;
  const sockets = new Set<Socket>();
  const cutAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  const listener = createServer((client) => {
    const server = connect({ host: "127.0.0.1", port: target });
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const address = listener.address();
  return {
    port: typeof address === "object" && address ? address.port : 0,
    pointTo: (port) => {
      target = port;
      cutAll();
    },
    close: async () => {
      cutAll();
      await new Promise((resolve) => listener.close(resolve));
    },
  };
}
