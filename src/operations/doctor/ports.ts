// The checks of the ports in the settings: whether a program listens there, and whether it is the service.
import { connect } from "node:net";
import type { Config } from "../../config.ts";
import { fetchLocal, localAddress, localUrl } from "../local-service.ts";
import { type Check, ok, type Verdict, warning } from "./check.ts";

const timeoutMilliseconds = 3_000;

export const portChecks: readonly Check<Config>[] = [
  {
    name: "HTTPS port",
    question: "Does the service listen on its port?",
    remedy: "End the other program, or set COMMONPLACE_PORT to another port.",
    examine: ({ host, port }) => examinePort("https", host, port, "/healthz", isService),
  },
  {
    name: "plain port",
    question: "Does the service listen on its plain port?",
    remedy: "End the other program, or set COMMONPLACE_HTTP_PORT to another port or to off.",
    examine: ({ host, httpPort }) => examinePort("http", host, httpPort, "/healthz", isService),
  },
  {
    name: "metrics port",
    question: "Does the service give its figures on the port of the metrics?",
    remedy: "End the other program, or set COMMONPLACE_METRICS_PORT to another port or to off.",
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
  if (port === 0) return ok("the system chooses one at each start");
  if (!(await isTaken(localAddress(host), port))) return ok(`${port}: nobody listens there now`);
  const response = await fetchLocal(localUrl(scheme, host, port, path), timeoutMilliseconds).catch(() => undefined);
  return response && (await isExpected(response))
    ? ok(`${port}: the service answers`)
    : warning(`${port}: another program listens there, or a service that does not answer`);
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
