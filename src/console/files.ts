// The console's page and its files. File names contain a hash of the content, so browsers cache them forever; the page is never cached.
import { brotliCompressSync, constants } from "node:zlib";
import { errors } from "../contract/errors.ts";
import { compressed, preferredCoding } from "../platform/http/content-coding.ts";
import type { IncomingRequest } from "../platform/http/receive.ts";
import { type OutgoingResponse, refusalResponse, unchargedHeaders } from "../platform/http/respond.ts";
import type { BuiltFile } from "./build-pages.ts";
import { builtPages } from "./built-pages.ts";

interface Served {
  readonly type: string;
  readonly plain: Uint8Array<ArrayBuffer>;
  readonly gzip: Uint8Array<ArrayBuffer>;
  readonly brotli: Uint8Array<ArrayBuffer>;
}

interface Built {
  readonly files: ReadonlyMap<string, Served>;
  readonly script: string;
  readonly styles: string;
  readonly licenses: string;
}

const types: Readonly<Record<string, string>> = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  txt: "text/plain; charset=utf-8",
};

export interface ConsoleFiles {
  readonly page: (request: IncomingRequest, requestId: string) => Promise<OutgoingResponse>;
  readonly asset: (name: string, request: IncomingRequest, requestId: string) => Promise<OutgoingResponse>;
}

/** Bundled with the first request, once in a process. */
let building: Promise<Built> | undefined;
const built = (): Promise<Built> => {
  building ??= builtPages()
    .then(prepare)
    .catch((cause: unknown) => {
      // The next request tries again.
      building = undefined;
      throw cause;
    });
  return building;
};

/** @param referencePath the path of the API reference */
export const consoleFiles = (referencePath: string): ConsoleFiles => ({
  page: async (request, requestId) => compressed(pageOf(await built(), referencePath, requestId), request),
  asset: async (name, request, requestId) => assetOf(await built(), name, request, requestId),
});

function prepare(files: readonly BuiltFile[]): Built {
  const named = (pattern: RegExp): string => {
    const name = files.map((file) => file.name).find((candidate) => pattern.test(candidate));
    if (name === undefined) throw new Error(`the console's bundle has no ${pattern}`);
    return name;
  };
  return {
    script: named(/^main-\w+\.js$/),
    styles: named(/^main-\w+\.css$/),
    licenses: named(/^licenses-\w+\.txt$/),
    files: new Map(files.map(({ name, bytes }) => [name, compress(name, bytes)])),
  };
}

const compress = (name: string, bytes: Uint8Array<ArrayBuffer>): Served => ({
  type: types[name.split(".").at(-1) ?? ""] ?? "application/octet-stream",
  plain: bytes,
  gzip: Bun.gzipSync(bytes),
  brotli: new Uint8Array(brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } })),
});

function assetOf({ files }: Built, name: string, { header }: IncomingRequest, requestId: string): OutgoingResponse {
  const file = files.get(name);
  if (!file) return refusalResponse(errors.pathUnknown(), requestId);
  const coding = preferredCoding(header("accept-encoding"));
  const headers = {
    ...unchargedHeaders(requestId),
    "Content-Type": file.type,
    "Cache-Control": "public, max-age=31536000, immutable",
    Vary: "Accept-Encoding",
    "X-Content-Type-Options": "nosniff",
    ...(coding && { "Content-Encoding": coding }),
  };
  const body = coding === "br" ? file.brotli : coding === "gzip" ? file.gzip : file.plain;
  return { status: 200, body, headers, units: 0 };
}

// The open book of the sign-in page, as a data URL.
const icon = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><rect width="24" height="24" rx="6" fill="#1f6650"/><path d="M12 7.5C10.4 6.2 8 5.9 5.5 6v11c2.5-.1 4.9.2 6.5 1.5 1.6-1.3 4-1.6 6.5-1.5V6c-2.5-.1-4.9.2-6.5 1.5Zm0 0v11" fill="none" stroke="#fff" stroke-width="1.6" stroke-linejoin="round"/></svg>',
)}`;

function pageOf({ script, styles, licenses }: Built, referencePath: string, requestId: string): OutgoingResponse {
  // For the few style elements that the components put into the page.
  const nonce = crypto.getRandomValues(new Uint8Array(16)).toBase64();
  const body = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="style-nonce" content="${nonce}">
<meta name="reference" content="${referencePath}">
<meta name="licenses" content="/console/assets/${licenses}">
<title>Commonplace</title>
<link rel="icon" href="${icon}">
<link rel="stylesheet" href="/console/assets/${styles}">
<script type="module" src="/console/assets/${script}"></script>
</head>
<body><div id="root"></div><noscript>The console needs JavaScript.</noscript></body>
</html>
`;
  const headers = {
    ...unchargedHeaders(requestId),
    "Content-Type": "text/html; charset=utf-8",
    "Cache-Control": "no-store",
    "Content-Security-Policy": [
      "default-src 'none'",
      "script-src 'self'",
      `style-src 'self' 'nonce-${nonce}'`,
      "img-src 'self' data:",
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
    ].join("; "),
    "Cross-Origin-Opener-Policy": "same-origin",
    // With no-referrer, browsers would send `Origin: null` and every change would be refused.
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
  };
  return { status: 200, body, headers, units: 0 };
}
