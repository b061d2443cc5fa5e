// The console as the service sees it: everything below /console. Its code is loaded while the service starts, which does not wait for it.
import type { IncomingRequest } from "../platform/http/receive.ts";
import { unchargedHeaders } from "../platform/http/respond.ts";
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

/** A browser at the service's bare address is looking for the console. To a program, there is nothing: 404. */
export const isBrowserAtRoot = ({ method, path, header }: IncomingRequest): boolean =>
  path === "/" && (method === "GET" || method === "HEAD") && (header("accept") ?? "").includes("text/html");

export const redirectToConsole: Route = {
  kind: "open",
  respond: (_, requestId) => {
    const headers = {
      ...unchargedHeaders(requestId),
      Location: consolePath,
      "Cache-Control": "no-cache",
      Vary: "Accept",
    };
    return { status: 302, body: "", headers, units: 0 };
  },
};

export const isConsolePath = (path: string): boolean => path === consolePath || path.startsWith(`${consolePath}/`);
