// Cookies as Better Auth writes them: `value.signature`, percent-encoded; the signature is HMAC-SHA-256 in base64.
import { createHmac, timingSafeEqual } from "node:crypto";
import { isSessionToken } from "../../accounts/sign-in/session-token.ts";
import { consoleLimits } from "../../contract/console/limits.ts";
import { daySeconds } from "../../platform/time.ts";

/** Browsers enforce what the prefix says: HTTPS only, this host only, every path. */
export const sessionCookie = "__Host-commonplace.session_token";

/** The cookie of an unfinished sign-in: the password was right, the code is missing. */
export const secondStepCookie = "__Host-commonplace.two_factor";

const ownPrefix = "__Host-commonplace.";
const sessionSeconds = consoleLimits.sessionDays * daySeconds;

/** A session cookie that this instance signed. */
export interface SessionCookie {
  readonly token: string;
  /** The `Set-Cookie` of the same session with a new end. */
  readonly renewed: () => string;
}

/** The session's token; undefined without a session cookie that this instance signed. */
export function readSessionToken(cookieHeader: string | null, secret: string): string | undefined {
  const token = readSignedCookie(cookieHeader, sessionCookie, secret);
  return token !== undefined && isSessionToken(token) ? token : undefined;
}

/** The value of a cookie; undefined without a cookie of this name that this instance signed. */
export function readSignedCookie(cookieHeader: string | null, name: string, secret: string): string | undefined {
  const prefix = `${name}=`;
  const part = (cookieHeader ?? "").split(/; */).find((cookie) => cookie.startsWith(prefix));
  if (!part) return undefined;
  let text: string;
  try {
    text = decodeURIComponent(part.slice(prefix.length));
  } catch {
    return undefined;
  }
  const dot = text.lastIndexOf(".");
  const value = text.slice(0, dot);
  const signature = Buffer.from(text.slice(dot + 1));
  const expected = Buffer.from(signatureOf(value, secret));
  const isSigned = signature.length === expected.length && timingSafeEqual(signature, expected);
  return dot > 0 && isSigned ? value : undefined;
}

/**
 * The cookies that Better Auth may see: its own. A session cookie counts only where this instance signed it and its token is not
 * a hash from the database.
 */
export function cookiesForBetterAuth(cookieHeader: string | null, secret: string): string {
  const isSessionValid = readSessionToken(cookieHeader, secret) !== undefined;
  let isSessionSeen = false;
  return (cookieHeader ?? "")
    .split(/; */)
    .filter((cookie) => {
      if (!cookie.startsWith(ownPrefix)) return false;
      if (!cookie.startsWith(`${sessionCookie}=`)) return true;
      // The first of several is the one that was checked.
      const isFirst = !isSessionSeen;
      isSessionSeen = true;
      return isFirst && isSessionValid;
    })
    .join("; ");
}

/** The `Set-Cookie` that removes the session from the browser. */
export const clearedSessionCookie = `${sessionCookie}=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax`;

/** The `Set-Cookie` of a session. */
export const writeSessionCookie = (token: string, secret: string): string =>
  `${sessionCookie}=${encodeURIComponent(`${token}.${signatureOf(token, secret)}`)}; Max-Age=${sessionSeconds}; Path=/; HttpOnly; Secure; SameSite=Lax`;

const signatureOf = (token: string, secret: string): string =>
  createHmac("sha256", secret).update(token).digest("base64");
