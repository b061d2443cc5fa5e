// ./commonplace health: asks the instance on this machine for its health, for health checks without an HTTP client of their own.
import { OperatorError } from "../../platform/operator-error.ts";
import { fetchLocal, localUrl } from "../local-service.ts";
import { findRunningService } from "../running-service.ts";
import type { Command, CommandContext } from "./command.ts";
import { printResult } from "./output.ts";

const timeoutMilliseconds = 5_000;

export const health: Command = {
  name: "health",
  summary: "Check the service on this machine",
  options: { ready: { meaning: "Check /readyz (ready for requests) instead of /healthz (alive)" } },
  notes: ["Exits with 0 if the service responds with 200, otherwise with 1."],
  run: async (context) => {
    const url = probeUrl(context, context.options.isSet("ready") ? "/readyz" : "/healthz");
    const status = await requestStatus(url);
    if (status !== 200) throw new OperatorError(`${url} responded with ${status}`);
    printResult(context, { url, status }, [`${url} responded with ${status}.`]);
  },
};

function probeUrl({ config, environment }: CommandContext, path: string): string {
  const port = findRunningService(config, environment)?.port ?? config.port;
  if (port === 0)
    throw new OperatorError("COMMONPLACE_HTTPS_PORT is 0, and no service has been started with this data directory");
  return localUrl("https", config.host, port, path);
}

/** @throws OperatorError if there is no response in time */
async function requestStatus(url: string): Promise<number> {
  try {
    const response = await fetchLocal(url, timeoutMilliseconds);
    await response.body?.cancel();
    return response.status;
  } catch (error) {
    const isLate = error instanceof Error && error.name === "TimeoutError";
    throw new OperatorError(
      isLate
        ? `${url} did not respond within ${timeoutMilliseconds / 1_000} s`
        : `no response from ${url}. Is the service running?`,
    );
  }
}
