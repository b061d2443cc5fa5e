// Responses that are a file instead of the envelope.
import { errors } from "../contract/errors.ts";
import { exportHeaders } from "../contract/export-warnings.ts";
import type { Input } from "../contract/operations.ts";
import type { AnyResult } from "../library/call.ts";
import type { ExportFiles } from "../library/export/export-files.ts";
import { type MadeFile, makeExport } from "../library/export/make-export.ts";
import type { TeamToExport } from "../library/exports.ts";
import type { Owner } from "../platform/fair-queue.ts";
import type { ResponseRoom } from "../platform/http/downloads.ts";
import type { ParsedInput } from "../platform/http/parse-input.ts";
import { attachment, type OutgoingResponse, unchargedHeaders } from "../platform/http/respond.ts";
import { JsonText } from "../platform/json-text.ts";

const retryAfterSeconds = 1;
const fileBytesInMemory = 1024 * 1024;

/** The result of an export with its file instead of what it is made of. */
export async function makeFile(
  files: ExportFiles | undefined,
  owner: Owner,
  workspaceId: string,
  { query }: ParsedInput,
  result: AnyResult,
): Promise<AnyResult> {
  // The only operation that returns a file; its query was parsed by its row, and its rule returned the data, perhaps in another thread.
  const { teamId, format = "commonplace" } = query as Input<"getExport">["query"];
  const team = (result.data instanceof JsonText ? result.data.toJSON() : result.data) as TeamToExport;
  const file = await makeExport(files, owner, team, { workspaceId, teamId, format });
  return { ...result, data: file, ...("texts" in file && { items: file.texts }) };
}

/** The file was prepared before the transaction. Where the key's teams have changed meanwhile, the client sends the request again. */
export function fileOf({ data }: AnyResult): MadeFile {
  if (isFile(data)) return data;
  throw errors.busy(retryAfterSeconds);
}

/** A file that is not sent. */
export function dropFile(result: AnyResult | undefined): void {
  if (isFile(result?.data) && "end" in result.data) result.data.end();
}

const isFile = (data: unknown): data is MadeFile =>
  typeof data === "object" && data !== null && ("pieces" in data || "bytes" in data);

/** What a file takes of the memory while it is sent. */
export const bytesInMemory = (file: MadeFile): number => ("bytes" in file ? file.bytes.length : fileBytesInMemory);

export function fileResponse(
  file: MadeFile,
  { units, balance_after }: { readonly units: number; readonly balance_after: number },
  requestId: string,
  room: ResponseRoom,
): OutgoingResponse {
  const headers = {
    ...unchargedHeaders(requestId),
    "X-Request-Cost": String(units),
    "X-Remaining-Requests": String(balance_after),
    ...attachment(file.name),
    ...exportHeaders(file),
  };
  if ("bytes" in file) {
    room.release();
    return { status: 200, body: file.bytes, headers, units };
  }
  const onEnd = () => {
    file.end();
    room.release();
  };
  return { status: 200, body: { pieces: file.pieces(), onEnd }, headers, units };
}
