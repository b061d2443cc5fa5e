// The body of a sign-in call: only the fields on the allowlist, and only values that Better Auth can handle.
import { errors } from "../../contract/errors.ts";
import { isUuid } from "../../contract/uuid.ts";
import type { IncomingRequest } from "../../platform/http/receive.ts";

const bodyBytesMax = 64 * 1024;

/** Reads the fields of the body that Better Auth may see. @throws Refusal `invalid`, `too_large` */
export async function readBody(request: IncomingRequest, fields: readonly string[]): Promise<Record<string, unknown>> {
  if ((request.bodyBytes ?? 0) > bodyBytesMax) throw errors.bodyTooLarge();
  const bytes = await request.readBody(bodyBytesMax);
  if (bytes === "too large") throw errors.bodyTooLarge();
  if (bytes.length === 0) return {};
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw errors.jsonMalformed();
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw errors.invalid("body must be an object");
  const given = value as Record<string, unknown>;
  const allowed = Object.fromEntries(
    fields.flatMap((field) => (Object.hasOwn(given, field) ? [[field, given[field]]] : [])),
  );
  requireStorable(allowed);
  return allowed;
}

/** @throws Refusal `invalid` for values that make Better Auth fail where it should refuse */
export function requireValidBody({ id, response }: Record<string, unknown>): void {
  if (id !== undefined && !(typeof id === "string" && isUuid(id))) throw errors.invalid("id must be a UUID");
  if (response !== undefined && !isPasskeyResponse(response))
    throw errors.invalid("response must be a passkey response");
}

/** The response of a passkey has three levels. */
const depthMax = 8;

/** @throws Refusal `invalid` for text that no database can store; Better Auth would search for it all the same */
function requireStorable(value: unknown, depth = 0): void {
  if (depth > depthMax) throw errors.invalid("body is nested too deeply");
  if (typeof value === "string" && (value.includes("\u0000") || !value.isWellFormed()))
    throw errors.invalid("body must not contain the character U+0000 or a lone surrogate");
  if (typeof value !== "object" || value === null) return;
  for (const entry of Object.entries(value)) for (const part of entry) requireStorable(part, depth + 1);
}

/** Checks as much as Better Auth relies on. */
function isPasskeyResponse(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { id, response } = value as Record<string, unknown>;
  if (typeof id !== "string" || typeof response !== "object" || response === null) return false;
  const { transports } = response as Record<string, unknown>;
  return transports === undefined || Array.isArray(transports);
}
