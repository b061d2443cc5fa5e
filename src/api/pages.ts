// The pages of the public API that need no key: the OpenAPI document and the reference.
import { openApi } from "../contract/openapi.ts";
import { compressed } from "../platform/http/content-coding.ts";
import { type OutgoingResponse, unchargedHeaders } from "../platform/http/respond.ts";
import type { Respond } from "../platform/http/routes.ts";
import { answerPage, compressedPage, type Page, page, securityPolicy } from "../platform/http/static-page.ts";
import { curlStart, type ReferenceAddress } from "./reference/address.ts";
import { referenceDocument } from "./reference/document.ts";
import { referencePage } from "./reference/page.ts";
import css from "./reference/reference.css" with { type: "text" };
import script from "./reference/reference.js" with { type: "text" };
import { compressedScalar } from "./reference/scalar.ts";

export interface PublicPage {
  readonly path: string;
  readonly respond: Respond;
}

/**
 * The pages below the API's path.
 * @param addressOf known once the service listens
 */
export const publicPages = (apiPath: string, addressOf: () => ReferenceAddress): readonly PublicPage[] => [
  cachedPage(page(`${apiPath}/openapi.json`, "application/json", () => JSON.stringify(openApi(apiPath)))),
  {
    path: `${apiPath}/reference`,
    respond: (request, requestId) => compressed(answerReference(requestId, curlStart(addressOf())), request),
  },
  // Who looks for documentation of the API below its path finds the reference. At the root, this is the path of the documentation itself.
  ...(apiPath === "" ? [] : [redirect(`${apiPath}/docs`, `${apiPath}/reference`)]),
  cachedPage(
    page(`${apiPath}/reference/openapi.json`, "application/json", () =>
      JSON.stringify(referenceDocument(apiPath, addressOf())),
    ),
  ),
  cachedPage(page(`${apiPath}/reference/reference.css`, "text/css", () => css)),
  cachedPage(page(`${apiPath}/reference/reference.js`, "text/javascript", () => script)),
  scalar(`${apiPath}/reference/scalar.js`),
];

const cachedPage = (page: Page): PublicPage => ({
  path: page.path,
  respond: (request, requestId) => answerPage(page, request, requestId),
});

const redirect = (path: string, location: string): PublicPage => ({
  path,
  respond: (_, requestId) => {
    const headers = { ...unchargedHeaders(requestId), Location: location, "Cache-Control": "no-cache" };
    return { status: 308, body: "", headers, units: 0 };
  },
});

/** Compressed on first use and then kept, as are the others. A failure is not kept. */
function scalar(path: string): PublicPage {
  let compressed: Promise<Page> | undefined;
  const load = async () => {
    const bytes = await compressedScalar();
    return compressedPage(path, "text/javascript", () => bytes);
  };
  const respond: Respond = async (request, requestId) => {
    compressed ??= load().catch((cause: unknown) => {
      compressed = undefined;
      throw cause;
    });
    return answerPage(await compressed, request, requestId);
  };
  return { path, respond };
}

/** Scalar puts its styles into the page: they apply by a nonce, which no other response has. */
function answerReference(requestId: string, curl: string): OutgoingResponse {
  const nonce = crypto.getRandomValues(new Uint8Array(16)).toBase64();
  const headers = {
    "Content-Type": "text/html; charset=utf-8",
    "Cache-Control": "no-store",
    "Content-Security-Policy": securityPolicy(`'nonce-${nonce}'`),
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    ...unchargedHeaders(requestId),
  };
  return { status: 200, body: referencePage(nonce, curl), headers, units: 0 };
}
