// Passes connections to a socket on to a port of the network that this process is in. Arguments: the socket, the port.
import { connect, createServer } from "node:net";

const [socket, port] = process.argv.slice(2);
createServer((near) => {
  const far = connect(Number(port), "127.0.0.1");
  near.pipe(far).pipe(near);
  for (const [end, other] of [
    [near, far],
    [far, near],
  ] as const)
    end.on("error", () => other.destroy());
}).listen(socket);
