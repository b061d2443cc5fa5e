// Which compression a client accepts (RFC 9110, section 12.5.3), and responses compressed so.
import { pipeline, Readable } from "node:stream";
import { promisify } from "node:util";
import { constants, createGzip, createZstdCompress, gzip } from "node:zlib";
import { type BodyInPieces, chain, isInPieces } from "./body-in-pieces.ts";
import type { IncomingRequest } from "./receive.ts";
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

/** The smallest coding that the header allows, for what is compressed once. */
export function preferredCoding(acceptEncoding: string | null | undefined): "br" | "gzip" | undefined {
  const accepted = acceptedCodings(acceptEncoding);
  return accepted.has("br") ? "br" : accepted.has("gzip") ? "gzip" : undefined;
}

type QuickCoding = "zstd" | "gzip";

/** The quickest coding that the header allows, for what is compressed for each request. Brotli takes several times as long. */
function quickCoding(acceptEncoding: string): QuickCoding | undefined {
  const accepted = acceptedCodings(acceptEncoding);
  return accepted.has("zstd") ? "zstd" : accepted.has("gzip") ? "gzip" : undefined;
}

/** A shorter body fits into one packet anyway. */
const compressedLengthMin = 1024;
/** A longer one is compressed on another thread: here it would take more than a tenth of a millisecond. */
const compressedAtOnceLengthMax = 32 * 1024;
/** Of JSON, this leaves hardly more than the best level, in a third of the time. */
const level = 3;
/** So few pieces are compressed together: making a compressor of a stream takes longer than that. */
const compressedPiecesMax = 4;

/**
 * The response, compressed where the client accepts it. To a client that does not, it is sent as it is. What differs in coding is not the
 * same byte for byte, so the tag of a compressed response is weak.
 */
export function compressed(
  response: OutgoingResponse,
  request: Pick<IncomingRequest, "header">,
): OutgoingResponse | Promise<OutgoingResponse> {
  const { body, headers } = response;
  const isPacked = headers["Content-Type"] === "application/zip";
  const isLong = typeof body === "string" ? body.length >= compressedLengthMin : isInPieces(body) && !isPacked;
  const acceptEncoding = isLong ? request.header("accept-encoding") : null;
  if (acceptEncoding === null) return response;
  const varying = { ...response, headers: { ...headers, Vary: "Accept-Encoding" } };
  const coding = quickCoding(acceptEncoding);
  if (!coding) return varying;
  const encoded = { ...varying, headers: { ...varying.headers, ...(headers.ETag && { ETag: `W/${headers.ETag}` }) } };
  // Its headers are those of the whole response. Its body is not sent.
  return response.status === 304 ? encoded : encode(encoded, coding);
}

function encode(response: OutgoingResponse, coding: QuickCoding): OutgoingResponse | Promise<OutgoingResponse> {
  const { body } = response;
  const encoded = { ...response, headers: { ...response.headers, "Content-Encoding": coding } };
  if (isInPieces(body)) return { ...encoded, body: { pieces: encodePieces(body.pieces, coding), onEnd: body.onEnd } };
  const bytes = Buffer.from(String(body));
  if (bytes.length <= compressedAtOnceLengthMax)
    return { ...encoded, body: new Uint8Array(encodeAtOnce[coding](bytes)) };
  return encodeAside[coding](bytes).then((sent) => ({ ...encoded, body: new Uint8Array(sent) }));
}

const encodeAtOnce = {
  gzip: (bytes: Buffer<ArrayBuffer>): Uint8Array => Bun.gzipSync(bytes, { level }),
  zstd: (bytes: Buffer<ArrayBuffer>): Uint8Array => Bun.zstdCompressSync(bytes, { level }),
};

const toGzip = promisify<Buffer, { level: number }, Buffer>(gzip);
const encodeAside = {
  gzip: (bytes: Buffer<ArrayBuffer>): Promise<Uint8Array> => toGzip(bytes, { level }),
  zstd: (bytes: Buffer<ArrayBuffer>): Promise<Uint8Array> => Bun.zstdCompress(bytes, { level }),
};

async function* encodePieces(pieces: BodyInPieces["pieces"], coding: QuickCoding): AsyncGenerator<Uint8Array> {
  if (!(Symbol.iterator in pieces)) return yield* encodeStream(pieces, coding);
  const iterator = pieces[Symbol.iterator]();
  const first: (string | Uint8Array)[] = [];
  let next = iterator.next();
  for (; !next.done && first.length < compressedPiecesMax; next = iterator.next()) first.push(next.value);
  if (next.done) yield await encodeAside[coding](Buffer.concat(first.map((piece) => Buffer.from(piece))));
  else yield* encodeStream(chain([...first, next.value], iterator), coding);
}

/** Each piece is made when the compressor has room for it. */
async function* encodeStream(pieces: BodyInPieces["pieces"], coding: QuickCoding): AsyncGenerator<Uint8Array> {
  const compressor =
    coding === "gzip"
      ? createGzip({ level })
      : createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: level } });
  // An error ends the loop below.
  pipeline(Readable.from(pieces, { highWaterMark: 1 }), compressor, () => undefined);
  for await (const piece of compressor) yield piece;
}
