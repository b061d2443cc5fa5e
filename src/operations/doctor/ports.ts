// The ports of the settings: whether somebody listens there, and whether that is the service.
import { connect, isIPv6 } from "node:net";
import type { Config } from "../../config.ts";
import { type Check, ok, type Verdict, warning } from "./check.ts";

const answerMillisecondsMax = 3_000;
const free = "nobody listens there now";

export const portChecks: readonly Check<Config>[] = [
  {
    name: "HTTPS port",
    question: "Does the service listen on its port?",
    remedy: "End the other program, or set COMMONPLACE_PORT to another port.",
    examine: ({ host, port }) => examinePort("https", host, port, "/healthz", isOurs),
  },
  {
    name: "plain port",
    question: "Does the service listen on its plain port?",
    remedy: "End the other program, or set COMMONPLACE_HTTP_PORT to another port or to off.",
    examine: ({ host, httpPort }) => examinePort("http", host, httpPort, "/healthz", isOurs),
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

/** Whether an address is of this machine and no other. */
export const isLoopback = (host: string): boolean => /^(127\.|\[?::1\]?$|localhost$)/.test(host);

/** Every answer of the service, refusals too, says what it cost. */
const isOurs = (response: Response): boolean => response.headers.has("x-request-cost");

async function examinePort(
  scheme: "http" | "https",
  host: string,
  port: number | undefined,
  path: string,
  isService: (response: Response) => boolean | Promise<boolean>,
): Promise<Verdict> {
  if (port === undefined) return ok("off");
  if (port === 0) return ok("the system chooses one at each start");
  const address = { "0.0.0.0": "127.0.0.1", "::": "::1" }[host] ?? host;
  if (!(await isTaken(address, port))) return ok(`${port}: ${free}`);
  const answer = await ask(`${scheme}://${isIPv6(address) ? `[${address}]` : address}:${port}${path}`);
  return answer && (await isService(answer))
    ? ok(`${port}: the service answers`)
    : warning(`${port}: another program listens there, or a service that does not answer`);
}

const isTaken = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host, port, timeout: answerMillisecondsMax });
    const end = (isListening: boolean) => {
      socket.destroy();
      resolve(isListening);
    };
    socket.once("connect", () => end(true));
    socket.once("timeout", () => end(true));
    socket.once("error", () => end(false));
  });

/** Undefined where no answer comes. Nothing secret is sent, so whose certificate it is does not matter. */
const ask = (url: string): Promise<Response | undefined> =>
  fetch(url, {
    tls: { rejectUnauthorized: false },
    proxy: false,
    signal: AbortSignal.timeout(answerMillisecondsMax),
  }).catch(() => undefined);
