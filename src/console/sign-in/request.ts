// The request that the sign-in library is given, made anew from what the door lets through of a call.
import { errors } from "../../contract/errors.ts";
import { isUuid } from "../../contract/uuid.ts";
import type { IncomingRequest } from "../../platform/http/receive.ts";
import type { AuthCall } from "./calls.ts";
import { cookiesOfOurs } from "./cookie.ts";
import { confirmedPassword } from "./library.ts";

/** Where the library reads the client's address: the door writes it, whatever the client sent. */
export const clientHeader = "x-commonplace-client";
const bodyBytesMax = 64 * 1024;

/** What was asked, as far as the door lets it through. */
export interface Admitted {
  readonly path: string;
  readonly row: AuthCall;
  readonly incoming: IncomingRequest;
  readonly body: Record<string, unknown> | undefined;
  /** The session that the call shows, whether it has ended or not. */
  readonly token: string | undefined;
  readonly isConfirmed: boolean;
  /** Whose password is guessed; undefined where that is not known. */
  readonly account: string | undefined;
}

/** The fields of the body that are passed on. @throws Refusal */
export async function readBody(incoming: IncomingRequest, fields: readonly string[]): Promise<Record<string, unknown>> {
  if ((incoming.bodyBytes ?? 0) > bodyBytesMax) throw errors.bodyTooLarge();
  const bytes = await incoming.readBody(bodyBytesMax);
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
  const passed = Object.fromEntries(
    fields.flatMap((field) => (Object.hasOwn(given, field) ? [[field, given[field]]] : [])),
  );
  refuseUnkeepable(passed);
  return passed;
}

/** @throws Refusal for what makes the library fail instead of refusing it */
export function requireForms({ id, response }: Record<string, unknown>): void {
  if (id !== undefined && !(typeof id === "string" && isUuid(id))) throw errors.invalid("id must be a UUID");
  if (response !== undefined && !isPasskeyResponse(response)) throw errors.invalid("response must be a passkey's");
}

/** A passkey's answer has three levels. */
const depthMax = 8;

/** @throws Refusal for text that no database keeps, which the library would look for all the same */
function refuseUnkeepable(value: unknown, depth = 0): void {
  if (depth > depthMax) throw errors.invalid("body is nested too deeply");
  if (typeof value === "string" && (value.includes("\u0000") || !value.isWellFormed()))
    throw errors.invalid("body must not contain the character U+0000 or a lone surrogate");
  if (typeof value !== "object" || value === null) return;
  for (const entry of Object.entries(value)) for (const part of entry) refuseUnkeepable(part, depth + 1);
}

/** As much of it as the library takes for granted. */
function isPasskeyResponse(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { id, response } = value as Record<string, unknown>;
  if (typeof id !== "string" || typeof response !== "object" || response === null) return false;
  const { transports } = response as Record<string, unknown>;
  return transports === undefined || Array.isArray(transports);
}

/** The library sees these of the client's headers, and its address as the door knows it. */
const passedHeaders = ["origin", "user-agent", "sec-fetch-site", "sec-fetch-mode", "sec-fetch-dest"] as const;

/** What the provider is asked for, and what is remembered until the browser comes back from it. */
const signingInAgain = { additionalParams: { prompt: "login", max_age: "0" }, additionalData: { again: true } };

/** What the library is asked: nothing is in it that is not put here. */
export function requestOf(admitted: Admitted, origin: string, secret: string): Request {
  const { path, row, incoming, body, isConfirmed } = admitted;
  const headers = new Headers({ [clientHeader]: incoming.clientAddress });
  for (const name of passedHeaders) {
    const value = incoming.header(name);
    if (value !== null) headers.set(name, value);
  }
  const cookies = cookiesOfOurs(incoming.header("cookie"), secret);
  if (cookies !== "") headers.set("cookie", cookies);
  const given = new URLSearchParams(incoming.search);
  const search = new URLSearchParams();
  for (const name of row.query ?? []) {
    const value = given.get(name);
    if (value !== null) search.set(name, value);
  }
  const url = `${origin}/console/auth${path}${search.size > 0 ? `?${search}` : ""}`;
  if (body === undefined) return new Request(url, { headers });
  headers.set("content-type", "application/json");
  const sent: Record<string, unknown> = { ...body, ...row.fixed };
  if (isConfirmed && row.confirmedBy && row.confirmedBy !== "session") sent[row.confirmedBy] = confirmedPassword;
  if (path === "/sign-in/social")
    Object.assign(sent, {
      provider: "oidc",
      callbackURL: `${origin}/console`,
      errorCallbackURL: `${origin}/console/sign-in`,
      disableRedirect: true,
      ...(body.again === true && signingInAgain),
    });
  return new Request(url, { method: "POST", headers, body: JSON.stringify(sent) });
}
