// Responses in the form of the API: JSON, with the headers that every response carries.
import type { ErrorBody } from "../../contract/envelope.ts";
import type { Refusal } from "../../contract/errors.ts";
import { apiVersion } from "../../contract/operations.ts";
import { JsonText } from "../json-text.ts";
import { type BodyInPieces, bodyOf } from "./body-in-pieces.ts";
import { jsonPieces } from "./json-pieces.ts";

/** What is sent, with what the log and the metrics record of it. */
export interface OutgoingResponse {
  readonly status: number;
  readonly body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | BodyInPieces;
  readonly headers: Record<string, string>;
  /** Values of `Set-Cookie`, of which there may be several. */
  readonly cookies?: readonly string[];
  /** Units charged. */
  readonly units: number;
  /** The stable code of a refusal. */
  readonly code?: string;
  /** The API key that called, for the log. */
  readonly caller?: { readonly id: string; readonly workspaceId: string };
  /** The person who called the console, for the log. */
  readonly personId?: string;
}

/** The headers of every response, for one that costs nothing. */
export const unchargedHeaders = (requestId: string): Record<string, string> => ({
  "X-Request-Id": requestId,
  "X-Request-Cost": "0",
  "X-API-Version": apiVersion,
});

/** The headers of a file to download, whatever is in it. Its name keeps only what is safe in a header. */
export const attachment = (name: string): Record<string, string> => ({
  "Content-Type": name.endsWith(".zip") ? "application/zip" : "application/octet-stream",
  "Content-Disposition": `attachment; filename="${name.replaceAll(/[^A-Za-z0-9._-]/g, "_")}"`,
  "Cache-Control": "no-store",
  "X-Content-Type-Options": "nosniff",
});

/** A response whose body is one text. */
type TextResponse = OutgoingResponse & { readonly body: string };

export const jsonResponse = (status: number, body: object, requestId: string, units = 0): TextResponse => ({
  status,
  body: jsonOf(body),
  headers: jsonHeaders(requestId, units),
  units,
});

const noData = '"data":null';

/** `data` may be a JsonText. */
function jsonOf(body: object): string {
  if (!("data" in body && body.data instanceof JsonText)) return JSON.stringify(body);
  const { data } = body;
  const text = JSON.stringify({ ...body, data: null });
  const at = text.indexOf(noData);
  return `${text.slice(0, at)}"data":${data.text}${text.slice(at + noData.length)}`;
}

/** The same in pieces, with status 200. @param onEnd called when the response was sent or dropped */
export const largeJsonResponse = (
  body: object,
  requestId: string,
  units: number,
  onEnd: () => void,
): OutgoingResponse => ({
  status: 200,
  body: bodyOf(jsonPieces(body), onEnd),
  headers: jsonHeaders(requestId, units),
  units,
});

const jsonHeaders = (requestId: string, units: number): Record<string, string> => ({
  "Content-Type": "application/json; charset=utf-8",
  "Cache-Control": "no-store",
  "X-Content-Type-Options": "nosniff",
  "X-Request-Id": requestId,
  "X-Request-Cost": String(units),
  "X-API-Version": apiVersion,
});

/** @param units what the call was charged although it was refused */
export function refusalResponse(refusal: Refusal, requestId: string, units = 0): TextResponse {
  const {
    retryAfterSeconds,
    requiredRequests,
    remainingRequests,
    requiredBytes,
    remainingBytes,
    problems,
    teamIds,
    allow,
    current,
  } = refusal.details;
  const body: ErrorBody & { readonly current?: object } = {
    success: false,
    message: refusal.message,
    error: refusal.code,
    requestId,
    ...(requiredRequests !== undefined &&
      remainingRequests !== undefined && { usage: { remainingRequests, requiredRequests } }),
    ...(requiredBytes !== undefined && remainingBytes !== undefined && { storage: { requiredBytes, remainingBytes } }),
    ...(current && { current }),
    ...(problems && { problems: [...problems] }),
    ...(teamIds && { teamIds: [...teamIds] }),
  };
  const response = jsonResponse(refusal.status, body, requestId, units);
  if (retryAfterSeconds !== undefined) response.headers["Retry-After"] = String(retryAfterSeconds);
  if (allow !== undefined) response.headers.Allow = allow;
  if (refusal.kind === "unauthenticated") response.headers["WWW-Authenticate"] = "Bearer";
  return { ...response, code: refusal.code };
}
