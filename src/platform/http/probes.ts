// What orchestrators and load balancers ask: is the process alive, and should it receive calls. Open to everyone and free of charge.
import { errors } from "../../contract/errors.ts";
import { type Database, DatabaseUnavailable } from "../database/database.ts";
import { type OutgoingResponse, refusalResponse, unchargedHeaders } from "./respond.ts";
import { type FindRoute, openRoute } from "./routes.ts";

/** Probes time out soon, and a database that hangs must not look like a process that hangs. */
const pingMillisecondsMax = 2_000;
const retryAfterSeconds = 1;

export class Probes {
  /** True once the service is stopping: calls are still answered, but no more should be sent. */
  isDraining = false;
  readonly #database: Pick<Database, "ping">;
  readonly #report: (requestId: string, cause: unknown) => void;
  #asked: Promise<void> | undefined;

  constructor(database: Pick<Database, "ping">, report: (requestId: string, cause: unknown) => void) {
    this.#database = database;
    this.#report = report;
  }

  /** Succeeds whenever the process can answer: restarting it does not bring a lost database back. */
  health(requestId: string): OutgoingResponse {
    return yes("ok", requestId);
  }

  async readiness(requestId: string): Promise<OutgoingResponse> {
    if (this.isDraining) return refusalResponse(errors.draining(retryAfterSeconds), requestId);
    try {
      await this.#ping();
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable)) throw error;
      this.#report(requestId, error);
      return refusalResponse(errors.unavailable(retryAfterSeconds), requestId);
    }
    // The service may have begun to stop meanwhile.
    return this.isDraining ? refusalResponse(errors.draining(retryAfterSeconds), requestId) : yes("ready", requestId);
  }

  /** Readiness without a reason, for the metrics. */
  async isReady(): Promise<boolean> {
    if (this.isDraining) return false;
    return this.#ping().then(
      () => true,
      () => false,
    );
  }

  /** Probes at the same time share one ping, so that nobody without a key can keep the database busy. */
  async #ping(): Promise<void> {
    this.#asked ??= this.#database.ping().finally(() => {
      this.#asked = undefined;
    });
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      const fail = () => reject(new DatabaseUnavailable(`no response within ${pingMillisecondsMax} ms`));
      timer = setTimeout(fail, pingMillisecondsMax);
    });
    try {
      await Promise.race([this.#asked, late]);
    } finally {
      clearTimeout(timer);
    }
  }
}

const yes = (status: string, requestId: string): OutgoingResponse => ({
  status: 200,
  body: JSON.stringify({ status }),
  headers: {
    "Content-Type": "application/json; charset=utf-8",
    "Cache-Control": "no-store",
    ...unchargedHeaders(requestId),
  },
  units: 0,
});

/** The routes of /healthz and /readyz. */
export function probeRoutes(probes: Probes): FindRoute {
  const routes = new Map([
    ["/healthz", openRoute((_, requestId) => probes.health(requestId))],
    ["/readyz", openRoute((_, requestId) => probes.readiness(requestId))],
  ]);
  return (request) => routes.get(request.path)?.(request);
}
