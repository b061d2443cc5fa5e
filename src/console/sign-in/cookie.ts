// The session's cookie as the sign-in library writes it: `token.signature`, percent-encoded; the signature is HMAC-SHA-256 in base64.
import { createHmac, timingSafeEqual } from "node:crypto";
import { consoleLimits } from "../../contract/console/limits.ts";
import { daySeconds } from "../../platform/time.ts";
import { isSessionToken } from "./seal.ts";

/** Its name says what browsers then hold to: HTTPS only, this host only, every path. */
export const sessionCookie = "__Host-commonplace.session_token";

/** The half-finished sign-in of who has given the password, and not the code. */
export const secondStepCookie = "__Host-commonplace.two_factor";

const prefixOfOurs = "__Host-commonplace.";
const sessionSeconds = consoleLimits.sessionDays * daySeconds;

/** The session's token, undefined where there is none that this instance has signed. */
export function readSessionToken(cookieHeader: string | null, secret: string): string | undefined {
  const token = readSignedCookie(cookieHeader, sessionCookie, secret);
  return token !== undefined && isSessionToken(token) ? token : undefined;
}

/** What stands in a cookie of this name, undefined where there is none that this instance has signed. */
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
  const given = Buffer.from(text.slice(dot + 1));
  const right = Buffer.from(signatureOf(value, secret));
  const isSigned = given.length === right.length && timingSafeEqual(given, right);
  return dot > 0 && isSigned ? value : undefined;
}

/**
 * What of a Cookie header the sign-in library may see: its own cookies, and a session only where this instance signed it and its token is
 * none that the database knows it by.
 */
export function cookiesOfOurs(cookieHeader: string | null, secret: string): string {
  const isSessionRight = readSessionToken(cookieHeader, secret) !== undefined;
  let isSessionSeen = false;
  return (cookieHeader ?? "")
    .split(/; */)
    .filter((cookie) => {
      if (!cookie.startsWith(prefixOfOurs)) return false;
      if (!cookie.startsWith(`${sessionCookie}=`)) return true;
      // The first of several is the one that was looked at.
      const isFirst = !isSessionSeen;
      isSessionSeen = true;
      return isFirst && isSessionRight;
    })
    .join("; ");
}

/** The `Set-Cookie` that takes a session out of the browser. */
export const clearedSessionCookie = `${sessionCookie}=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax`;

/** The `Set-Cookie` of a session. */
export const writeSessionCookie = (token: string, secret: string): string =>
  `${sessionCookie}=${encodeURIComponent(`${token}.${signatureOf(token, secret)}`)}; Max-Age=${sessionSeconds}; Path=/; HttpOnly; Secure; SameSite=Lax`;

const signatureOf = (token: string, secret: string): string =>
  createHmac("sha256", secret).update(token).digest("base64");
