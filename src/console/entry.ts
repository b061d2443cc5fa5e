// The console as the service sees it: everything below /console. Its code is loaded while the service starts, which does not wait for it.
import type { Respond, Route } from "../platform/http/routes.ts";

export interface Console {
  /** Never throws. */
  readonly respond: Respond;
  /** Ends the responses that do not end by themselves, because the service stops. */
  readonly endStreams: () => void;
}

export const consolePath = "/console";

/** The route of everything at the console's path and below it. Requests wait until the console is loaded. */
export const consoleRoute = (loaded: Promise<Console>): Route => ({
  kind: "console",
  respond: async (request, requestId) => (await loaded).respond(request, requestId),
});

export const isConsolePath = (path: string): boolean => path === consolePath || path.startsWith(`${consolePath}/`);
