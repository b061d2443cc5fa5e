// Which compression a client accepts (RFC 9110, section 12.5.3), and responses compressed so.
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { OutgoingResponse } from "./respond.ts";

/** The codings that the `Accept-Encoding` header allows; a weight of 0 forbids one. */
const acceptedCodings = (acceptEncoding: string | null | undefined): ReadonlySet<string> =>
  new Set(
    (acceptEncoding ?? "")
      .toLowerCase()
      .split(",")
      .filter((coding) => !/;\s*q=0(\.0*)?\s*$/.test(coding))
      .map((coding) => coding.split(";")[0]?.trim() ?? ""),
  );

/** The smallest coding that the header allows. */
export function preferredCoding(acceptEncoding: string | null | undefined): "br" | "gzip" | undefined {
  const accepted = acceptedCodings(acceptEncoding);
  return accepted.has("br") ? "br" : accepted.has("gzip") ? "gzip" : undefined;
}

/** A shorter body fits into one packet anyway. */
const compressedBytesMin = 1024;
/** Of JSON, this leaves hardly more than the best level, in a third of the time; Brotli takes several times as long. */
const level = 3;
const toGzip = promisify<Buffer, { level: number }, Buffer>(gzip);

/** The response, compressed where the client accepts it. It runs beside other requests, on another thread. */
export async function compressed(
  response: OutgoingResponse,
  acceptEncoding: string | null | undefined,
): Promise<OutgoingResponse> {
  if (typeof response.body !== "string") return response;
  const bytes = Buffer.from(response.body);
  const headers = { ...response.headers, Vary: "Accept-Encoding" };
  if (bytes.length < compressedBytesMin || !acceptedCodings(acceptEncoding).has("gzip"))
    return { ...response, headers };
  const body = new Uint8Array(await toGzip(bytes, { level }));
  return { ...response, body, headers: { ...headers, "Content-Encoding": "gzip" } };
}
