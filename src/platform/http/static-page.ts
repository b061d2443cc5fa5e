// A page that everyone may read: rendered once, compressed, and not sent again to a browser that has it.
import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";
import { preferredCoding } from "./content-coding.ts";
import type { IncomingRequest } from "./receive.ts";
import { type OutgoingResponse, unchargedHeaders } from "./respond.ts";

export interface Page {
  readonly path: string;
  readonly contentType: string;
  /** Made on first use and then kept, so that the start does not wait for it. */
  readonly content: () => Content;
}

type Bytes = Uint8Array<ArrayBuffer>;

interface Content {
  readonly etag: string;
  /** Each form is made on first use and then kept. */
  readonly plain: () => Bytes;
  readonly gzip: () => Bytes;
  readonly br: () => Bytes;
}

/** The text that `make` returns, at a path. */
export function page(path: string, type: string, make: () => string): Page {
  const content = once((): Content => {
    const plain = new TextEncoder().encode(make());
    return contentOf(
      plain,
      () => plain,
      () => compress(plain),
    );
  });
  return { path, contentType: `${type}; charset=utf-8`, content };
}

/** A text that is compressed with Brotli already. */
export function compressedPage(path: string, type: string, read: () => Bytes): Page {
  const content = once((): Content => {
    const br = read();
    return contentOf(
      br,
      () => new Uint8Array(brotliDecompressSync(br)),
      () => br,
    );
  });
  return { path, contentType: `${type}; charset=utf-8`, content };
}

function contentOf(identity: Bytes, makePlain: () => Bytes, makeBrotli: () => Bytes): Content {
  const plain = once(makePlain);
  return {
    etag: `"${Bun.hash(identity).toString(36)}"`,
    plain,
    gzip: once(() => Bun.gzipSync(plain())),
    br: once(makeBrotli),
  };
}

/** Most of what the highest quality saves, in a fraction of its time. */
const brotliQuality = 9;

const compress = (bytes: Bytes): Bytes =>
  new Uint8Array(brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } }));

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** What a page may load: its own scripts, styles and data. @param styles further sources of styles, such as a nonce */
export const securityPolicy = (styles = ""): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self'${styles && ` ${styles}`}`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");

/** The page, compressed for clients that accept that. Clients that have it already get only its tag. */
export function answerPage(
  { contentType, content }: Page,
  { header }: IncomingRequest,
  requestId: string,
): OutgoingResponse {
  const made = content();
  const headers = {
    "Content-Type": contentType,
    "Cache-Control": "no-cache",
    ETag: made.etag,
    Vary: "Accept-Encoding",
    "Content-Security-Policy": securityPolicy(),
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    ...unchargedHeaders(requestId),
  };
  if (header("if-none-match") === made.etag) return { status: 304, body: "", headers, units: 0 };
  const coding = preferredCoding(header("accept-encoding"));
  if (coding === undefined) return { status: 200, body: made.plain(), headers, units: 0 };
  const body = coding === "br" ? made.br() : made.gzip();
  return { status: 200, body, headers: { ...headers, "Content-Encoding": coding }, units: 0 };
}
