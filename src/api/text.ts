// Responses that are a text alone instead of the envelope.

import { bodyOf } from "../platform/http/body-in-pieces.ts";
import type { ResponseRoom } from "../platform/http/downloads.ts";
import { textPieces } from "../platform/http/json-pieces.ts";
import type { OutgoingResponse } from "../platform/http/respond.ts";
import { unchargedHeaders } from "../platform/http/respond.ts";

const entityTag = (version: string): string => `"${version}"`;

/** Whether an `If-None-Match` header names this version: by its tag, strong or weak, anywhere in a list, or by `*`. */
export function namesVersion(ifNoneMatch: string | null, version: string): boolean {
  if (ifNoneMatch === null) return false;
  if (ifNoneMatch.trim() === "*") return true;
  return ifNoneMatch.match(/"[^"]*"/g)?.includes(entityTag(version)) === true;
}

/** Status 304 where the client has this version: then the text is not sent. */
export function textResponse(
  { text, version }: { readonly text: string; readonly version: string },
  { status, units, balance_after }: { readonly status: number; readonly units: number; readonly balance_after: number },
  requestId: string,
  room: ResponseRoom,
): OutgoingResponse {
  const headers = {
    ...unchargedHeaders(requestId),
    "X-Request-Cost": String(units),
    "X-Remaining-Requests": String(balance_after),
    // The client asks each time whether its copy is current.
    "Cache-Control": "private, no-cache",
    ETag: entityTag(version),
    "X-Content-Type-Options": "nosniff",
  };
  if (status === 304) return { status, body: text, headers, units };
  const body = room.isReserved ? bodyOf(textPieces(text), () => room.release()) : text;
  return { status: 200, body, headers: { ...headers, "Content-Type": "text/plain; charset=utf-8" }, units };
}
