// The console is at one address: sign-in, passkeys and the check of where a call comes from all rest on it. Whoever comes by another
// one is led there, or told what to set.
import { consoleErrors } from "../contract/console/errors.ts";
import type { IncomingRequest } from "../platform/http/receive.ts";
import { type OutgoingResponse, refusalResponse, unchargedHeaders } from "../platform/http/respond.ts";
import type { Instance } from "./call.ts";

const loopback = /^(127\.\d+\.\d+\.\d+|\[::1\]|localhost)(:\d+)?$/;

/** What answers a page that was asked for at another address; undefined where all is well, or nobody can tell. */
export function answerElsewhere(
  { config, origin }: Pick<Instance, "config" | "origin">,
  incoming: IncomingRequest,
  requestId: string,
): OutgoingResponse | undefined {
  // A proxy may name this service as it likes; whoever sets an address has set the right one.
  if (config.publicOrigin !== undefined) return undefined;
  const host = incoming.header("host")?.toLowerCase();
  const own = new URL(origin).host;
  if (host === undefined || host === own) return undefined;
  if (loopback.test(host) && loopback.test(own)) {
    const headers = { ...unchargedHeaders(requestId), Location: origin + incoming.path, "Cache-Control": "no-store" };
    return { status: 302, body: "", headers, units: 0 };
  }
  return refusalResponse(consoleErrors.otherAddress(origin), requestId);
}
