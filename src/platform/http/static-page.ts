// A page that everyone may read: rendered once, compressed, and not sent again to a browser that has it.
import type { IncomingRequest } from "./receive.ts";
import { type OutgoingResponse, unchargedHeaders } from "./respond.ts";

export interface Page {
  readonly path: string;
  readonly contentType: string;
  /** Made when it is first asked for, so that the start does not wait for it, and kept. */
  readonly content: () => Content;
}

interface Content {
  readonly text: string;
  readonly compressed: Uint8Array<ArrayBuffer>;
  readonly etag: string;
}

/** What `make` gives, at a path. */
export function page(path: string, type: string, make: () => string): Page {
  let made: Content | undefined;
  const content = () => {
    if (made) return made;
    const text = make();
    made = { text, compressed: Bun.gzipSync(text), etag: `"${Bun.hash(text).toString(36)}"` };
    return made;
  };
  return { path, contentType: `${type}; charset=utf-8`, content };
}

const securityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** The page, compressed for who takes that, and only its tag for who has it already. */
export function answerPage(
  { contentType, content }: Page,
  { header }: IncomingRequest,
  requestId: string,
): OutgoingResponse {
  const { text, compressed, etag } = content();
  const headers = {
    "Content-Type": contentType,
    "Cache-Control": "no-cache",
    ETag: etag,
    Vary: "Accept-Encoding",
    "Content-Security-Policy": securityPolicy,
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    ...unchargedHeaders(requestId),
  };
  if (header("if-none-match") === etag) return { status: 304, body: "", headers, units: 0 };
  if (!/\bgzip\b/.test(header("accept-encoding") ?? "")) return { status: 200, body: text, headers, units: 0 };
  return { status: 200, body: compressed, headers: { ...headers, "Content-Encoding": "gzip" }, units: 0 };
}
