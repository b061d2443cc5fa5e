// A network of the containers' own. Bridges that come and go in the machine's network make browsers, which other tests run, end requests.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAllTests } from "./cleanup.ts";

export interface OwnNetwork {
  /** The words before a command that run it in this network. */
  readonly enter: readonly string[];
  /** What `fetch` needs to reach a port of this network's loopback address. */
  readonly reach: (port: number) => Promise<{ readonly unix?: string }>;
}

/**
 * Makes a network that ends with this process, however it ends.
 * @param directory for sockets, short: the path of a socket has at most 107 characters
 * @returns the machine's own network, if another one cannot be made
 */
export async function makeOwnNetwork(directory: string): Promise<OwnNetwork> {
  const keeper = Bun.spawn(["unshare", "--net", "sh", "-c", "ip link set lo up && echo ready && exec cat"], {
    stdin: "pipe",
    stdout: "pipe",
    stderr: "ignore",
  });
  afterAllTests(() => keeper.stdin.end());
  const { done } = await keeper.stdout.getReader().read();
  if (done) return { enter: [], reach: async () => ({}) };
  const enter = ["nsenter", `--net=/proc/${keeper.pid}/ns/net`];
  const reach = async (port: number) => {
    const unix = join(directory, `${port}.sock`);
    if (existsSync(unix)) return { unix };
    const relay = Bun.spawn([...enter, process.execPath, join(import.meta.dir, "relay.ts"), unix, String(port)]);
    afterAllTests(() => relay.kill());
    while (!existsSync(unix) && relay.exitCode === null) await Bun.sleep(20);
    return { unix };
  };
  return { enter, reach };
}
