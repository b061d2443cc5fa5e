// A TCP proxy between clients and services that cuts each connection in the middle of what a service sends.
import { connect, createServer } from "node:net";

export interface CuttingProxy {
  readonly port: number;
  /** The number of connections that it cut. */
  readonly cuts: () => number;
  readonly close: () => Promise<void>;
}

/**
 * @param portOfService chosen anew for each connection
 * @param bytesBeforeCut how much of what the service sends on a connection arrives, the TLS handshake included
 */
export async function startCuttingProxy(
  portOfService: () => number,
  bytesBeforeCut: () => number,
): Promise<CuttingProxy> {
  const endings = new Set<() => void>();
  let cuts = 0;
  const listener = createServer((client) => {
    const service = connect({ host: "127.0.0.1", port: portOfService() });
    const end = () => {
      endings.delete(end);
      client.destroy();
      service.destroy();
    };
    endings.add(end);
    for (const socket of [client, service]) socket.on("error", end).on("close", end);
    let left = bytesBeforeCut();
    client.on("data", (chunk) => service.write(chunk));
    service.on("data", (chunk: Buffer) => {
      if (left <= 0) return;
      const arriving = chunk.subarray(0, left);
      left -= chunk.length;
      if (left > 0) {
        client.write(arriving);
        return;
      }
      cuts += 1;
      client.write(arriving, end);
    });
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const address = listener.address();
  return {
    port: typeof address === "object" && address ? address.port : 0,
    cuts: () => cuts,
    close: async () => {
      for (const end of [...endings]) end();
      await new Promise((resolve) => listener.close(resolve));
    },
  };
}
