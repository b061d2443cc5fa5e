// Responses that are a file instead of the envelope.
import { errors } from "../contract/errors.ts";
import { limits } from "../contract/limits.ts";
import type { Input } from "../contract/operations.ts";
import type { AnyResult } from "../library/call.ts";
import type { FormatProcesses, WrittenFile } from "../library/import/format-processes.ts";
import type { Owner } from "../platform/fair-queue.ts";
import type { ResponseRoom } from "../platform/http/downloads.ts";
import { jsonPieces } from "../platform/http/json-pieces.ts";
import type { ParsedInput } from "../platform/http/parse-input.ts";
import { attachment, type OutgoingResponse, unchargedHeaders } from "../platform/http/respond.ts";

const retryAfterSeconds = 1;

/** The result of an export with the file instead of the tree that it is made of. */
export async function writeFile(
  formats: FormatProcesses,
  owner: Owner,
  { query }: ParsedInput,
  result: AnyResult,
): Promise<AnyResult> {
  // The only operation that returns a file; its query was parsed by its row.
  const { format = "commonplace" } = query as Input<"getExport">["query"];
  return { ...result, data: await formats.write(owner, jsonPieces(result.data), format, limits.responseBytesMax) };
}

/** The file was written before the transaction. Where the key's teams have changed meanwhile, the client sends the request again. */
export function fileOf({ data }: AnyResult): WrittenFile {
  if (typeof data === "object" && data !== null && "pieces" in data) return data as WrittenFile;
  throw errors.busy(retryAfterSeconds);
}

export function fileResponse(
  { name, pieces }: WrittenFile,
  { units, balance_after }: { readonly units: number; readonly balance_after: number },
  requestId: string,
  room: ResponseRoom,
): OutgoingResponse {
  const headers = {
    ...unchargedHeaders(requestId),
    "X-Request-Cost": String(units),
    "X-Remaining-Requests": String(balance_after),
    ...attachment(name),
  };
  const body = room.isReserved ? { pieces, onEnd: () => room.release() } : Buffer.concat(pieces);
  return { status: 200, body, headers, units };
}
