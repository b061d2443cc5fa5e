// ./commonplace health: asks the instance on this machine how it is, for health checks that have no other client at hand.
import { isIPv6 } from "node:net";
import type { Config } from "../../config.ts";
import { OperatorError } from "../../platform/operator-error.ts";
import type { Command } from "./command.ts";
import { printResult } from "./output.ts";

const answerMillisecondsMax = 5_000;

export const health: Command = {
  name: "health",
  summary: "Ask the service on this machine whether it is well",
  options: { ready: { meaning: "Ask whether calls should be sent to it: /readyz, not /healthz" } },
  notes: ["Exit status 0 when it answers 200, else 1."],
  run: async (context) => {
    const url = `${ownAddress(context.config)}${context.options.isSet("ready") ? "/readyz" : "/healthz"}`;
    const status = await ask(url);
    if (status !== 200) throw new OperatorError(`${url} answers ${status}`);
    printResult(context, { url, status }, [`${url} answers ${status}.`]);
  },
};

/** Where the instance of these settings listens, seen from its own machine. */
function ownAddress({ host, port }: Config): string {
  if (port === 0) throw new OperatorError("COMMONPLACE_PORT is 0: the port that the service chose is not known");
  const address = { "0.0.0.0": "127.0.0.1", "::": "::1" }[host] ?? host;
  return `https://${isIPv6(address) ? `[${address}]` : address}:${port}`;
}

/** @throws OperatorError when nobody answers */
async function ask(url: string): Promise<number> {
  try {
    const response = await fetch(url, {
      // The certificate is for the name that clients use, not for this address. Nothing secret is sent, and the answer decides
      // about nothing but this machine's own instance.
      tls: { rejectUnauthorized: false },
      // One that the environment names leads elsewhere.
      proxy: false,
      signal: AbortSignal.timeout(answerMillisecondsMax),
    });
    await response.body?.cancel();
    return response.status;
  } catch (error) {
    const isLate = error instanceof Error && error.name === "TimeoutError";
    throw new OperatorError(
      isLate ? `${url} has not answered within ${answerMillisecondsMax / 1_000} s` : `nobody answers at ${url}`,
    );
  }
}
