// The documentation: everything below /docs. It needs no key and costs nothing.
import { errors } from "../contract/errors.ts";
import type { IncomingRequest } from "../platform/http/receive.ts";
import { type OutgoingResponse, refusalResponse, unchargedHeaders } from "../platform/http/respond.ts";
import { openRoute } from "../platform/http/routes.ts";
import { answerPage, compressedPage, type Page } from "../platform/http/static-page.ts";
import { builtDocs } from "./built-docs.ts";

const docsPath = "/docs";

export const isDocsPath = (path: string): boolean => path === docsPath || path.startsWith(`${docsPath}/`);

export const docsRoute = openRoute(async (request, requestId) => {
  const pages = await readPages();
  const path = request.path.slice(docsPath.length + 1);
  const isFolder = request.path.endsWith("/");
  const page = pages.get(isFolder ? `${path}index.html` : path);
  if (page) return withCaching(path, answerPage(page, request, requestId));
  // Links on the pages are relative to the address with a slash at its end.
  if (!isFolder && pages.has(`${path === "" ? "" : `${path}/`}index.html`))
    return redirect(`${request.path}/`, requestId);
  return answerUnknown(pages, request, requestId);
});

/** Read on the first request, once in a process. */
let reading: Promise<ReadonlyMap<string, Page>> | undefined;

function readPages(): Promise<ReadonlyMap<string, Page>> {
  reading ??= builtDocs()
    .then(unpack)
    .catch((cause: unknown) => {
      // The next request tries again.
      reading = undefined;
      throw cause;
    });
  return reading;
}

/** @returns the pages by their path below /docs/ */
function unpack(text: string): ReadonlyMap<string, Page> {
  // What `bundleDocs` makes.
  const files: [path: string, type: string, content: string][] = JSON.parse(text);
  return new Map(
    files.map(([path, type, content]) => [path, compressedPage(path, type, () => Uint8Array.fromBase64(content))]),
  );
}

/** The names of these files contain a hash of their content. */
const keptFolder = "assets/";

function withCaching(path: string, response: OutgoingResponse): OutgoingResponse {
  if (!path.startsWith(keptFolder)) return response;
  return { ...response, headers: { ...response.headers, "Cache-Control": "public, max-age=31536000, immutable" } };
}

const redirect = (location: string, requestId: string): OutgoingResponse => ({
  status: 308,
  body: "",
  headers: { ...unchargedHeaders(requestId), Location: location, "Cache-Control": "no-cache" },
  units: 0,
});

/** A person gets a page that leads on, a program the same refusal as everywhere. */
function answerUnknown(
  pages: ReadonlyMap<string, Page>,
  request: IncomingRequest,
  requestId: string,
): OutgoingResponse {
  const page = pages.get("404.html");
  if (!page || !(request.header("accept") ?? "").includes("text/html"))
    return refusalResponse(errors.pathUnknown(), requestId);
  const response = answerPage(page, request, requestId);
  return response.status === 200 ? { ...response, status: 404 } : response;
}
