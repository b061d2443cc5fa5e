// The checks of the ports in the settings: whether a program listens there, and whether it is the service.
import { connect } from "node:net";
import type { Config } from "../../config.ts";
import { fetchLocal, localAddress, localUrl } from "../local-service.ts";
import { type Check, ok, type Verdict, warning } from "./check.ts";

const timeoutMilliseconds = 3_000;

export const portChecks: readonly Check<Config>[] = [
  {
    name: "HTTPS port",
    question: "Is the service reachable on its HTTPS port?",
    remedy: "Stop the other program, or set COMMONPLACE_HTTPS_PORT to another port.",
    examine: ({ host, port }) => examinePort("https", host, port, "/healthz", isService),
  },
  {
    name: "HTTP port",
    question: "Is the service reachable on its HTTP port?",
    remedy: "Stop the other program, or set COMMONPLACE_HTTP_PORT to another port or to off.",
    examine: ({ host, httpPort }) => examinePort("http", host, httpPort, "/healthz", isService),
  },
  {
    name: "metrics port",
    question: "Are the metrics available on their port?",
    remedy: "Stop the other program, or set COMMONPLACE_METRICS_PORT to another port or to off.",
    examine: ({ metricsHost, metricsPort }) =>
      examinePort("http", metricsHost, metricsPort, "/metrics", async (response) =>
        (await response.text()).includes("commonplace_"),
      ),
  },
];

/** Every response of the service, refusals included, has this header. */
const isService = (response: Response): boolean => response.headers.has("x-request-cost");

async function examinePort(
  scheme: "http" | "https",
  host: string,
  port: number | undefined,
  path: string,
  isExpected: (response: Response) => boolean | Promise<boolean>,
): Promise<Verdict> {
  if (port === undefined) return ok("off");
  if (port === 0) return ok("chosen by the system at each startup");
  if (!(await isTaken(localAddress(host), port))) return ok(`${port} is free: nothing is listening on it`);
  const response = await fetchLocal(localUrl(scheme, host, port, path), timeoutMilliseconds).catch(() => undefined);
  return response && (await isExpected(response))
    ? ok(`${port}: the service responds`)
    : warning(`${port} is used by another program, or the service does not respond`);
}

const isTaken = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host, port, timeout: timeoutMilliseconds });
    const end = (isListening: boolean) => {
      socket.destroy();
      resolve(isListening);
    };
    socket.once("connect", () => end(true));
    socket.once("timeout", () => end(true));
    socket.once("error", () => end(false));
  });
