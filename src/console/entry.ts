// The administration area as the server sees it: everything at its path, answered by whoever is there. Its code is loaded beside the
// start, which does not wait for it.
import type { IncomingRequest } from "../platform/http/receive.ts";
import type { OutgoingResponse } from "../platform/http/respond.ts";

export interface Administration {
  /** Answers whatever is at the path or below it. Never throws. */
  readonly answer: (incoming: IncomingRequest, requestId: string) => Promise<OutgoingResponse>;
  readonly stop: () => Promise<void>;
}

export const administrationPath = "/console";

export const isOfAdministration = (path: string): boolean =>
  path === administrationPath || path.startsWith(`${administrationPath}/`);

/** One that is being loaded: calls wait for it, and so does the end. */
export const loading = (opened: Promise<Administration>): Administration => ({
  answer: async (incoming, requestId) => (await opened).answer(incoming, requestId),
  stop: async () => (await opened).stop(),
});
