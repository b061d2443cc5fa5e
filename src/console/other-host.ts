// The console has one address: sign-in, passkeys and the check of a call's origin depend on it. A request at another address is redirected
// there, or refused with the setting to change.
import { consoleErrors } from "../contract/console/errors.ts";
import type { IncomingRequest } from "../platform/http/receive.ts";
import { type OutgoingResponse, refusalResponse, unchargedHeaders } from "../platform/http/respond.ts";
import type { ConsoleContext } from "./call.ts";

const loopback = /^(127\.\d+\.\d+\.\d+|\[::1\]|localhost)(:\d+)?$/;

/** The response to a page requested at another address; undefined at the right one, and where that cannot be known. */
export function redirectToOrigin(
  { config, origin }: Pick<ConsoleContext, "config" | "origin">,
  request: IncomingRequest,
  requestId: string,
): OutgoingResponse | undefined {
  // Behind a proxy, the host header may be any. The configured address is right.
  if (config.publicOrigin !== undefined) return undefined;
  const host = request.header("host")?.toLowerCase();
  const own = new URL(origin).host;
  if (host === undefined || host === own) return undefined;
  if (loopback.test(host) && loopback.test(own)) {
    const headers = { ...unchargedHeaders(requestId), Location: origin + request.path, "Cache-Control": "no-store" };
    return { status: 302, body: "", headers, units: 0 };
  }
  return refusalResponse(consoleErrors.otherAddress(origin), requestId);
}
