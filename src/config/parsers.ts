// What each kind of setting may be: a parser takes the text and the setting's name and returns the value.
import { isIP } from "node:net";
import { consoleLimits } from "../contract/console/limits.ts";
import type { DatabaseLocation } from "../platform/database/location.ts";
import type { LogFormat, LogLevel } from "../platform/log.ts";
import { OperatorError } from "../platform/operator-error.ts";
import { isRecipient } from "./age-recipient.ts";

/** @throws OperatorError that names the setting and says what it must be */
export type Parser<Value> = (text: string, name: string) => Value;

export const parseText: Parser<string> = (text) => text;

export const integerBetween =
  (min: number, max: number): Parser<number> =>
  (text, name) =>
    parseInteger(text, name, min, max);

/** Undefined for `forever`. */
export const integerOrForever =
  (min: number, max: number): Parser<number | undefined> =>
  (text, name) =>
    text === "forever" ? undefined : parseInteger(text, name, min, max, " or forever");

const portMax = 65_535;

/** Port 0 lets the system choose. */
export const parsePort: Parser<number> = integerBetween(0, portMax);

export const parsePortOrOff: Parser<number | undefined> = (text, name) =>
  text === "off" ? undefined : parseInteger(text, name, 0, portMax, " or off");

function parseInteger(text: string, name: string, min: number, max: number, alternative = ""): number {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= min && value <= max))
    throw new OperatorError(`${name} must be a whole number from ${min} to ${max}${alternative}, not "${text}"`);
  return value;
}

export const parseSwitch: Parser<boolean> = (text, name) => {
  if (text !== "on" && text !== "off") throw new OperatorError(`${name} must be on or off, not "${text}"`);
  return text === "on";
};

const logLevels: readonly LogLevel[] = ["debug", "info", "warn", "error", "off"];

export const parseLogLevel: Parser<LogLevel> = (text, name) => {
  const level = logLevels.find((candidate) => candidate === text);
  if (!level) throw new OperatorError(`${name} must be one of ${logLevels.join(", ")}, not "${text}"`);
  return level;
};

const logFormats: readonly LogFormat[] = ["auto", "text", "json"];

export const parseLogFormat: Parser<LogFormat> = (text, name) => {
  const format = logFormats.find((candidate) => candidate === text);
  if (!format) throw new OperatorError(`${name} must be one of ${logFormats.join(", ")}, not "${text}"`);
  return format;
};

export const parseHost: Parser<string> = (text, name) => {
  if (text !== "localhost" && isIP(text) === 0)
    throw new OperatorError(`${name} must be an IP address or localhost, not "${text}"`);
  return text;
};

/** Addresses and networks, separated by commas. */
export const parseNetworks: Parser<string[]> = (text, name) => {
  const entries = text.split(",").map((entry) => entry.trim());
  return entries.filter((entry) => {
    if (entry === "") return false;
    const [address = "", bits, ...rest] = entry.split("/");
    const family = isIP(address);
    const bitsMax = family === 6 ? 128 : 32;
    const isNetwork = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= bitsMax);
    if (family === 0 || !isNetwork || rest.length > 0)
      throw new OperatorError(
        `${name} must be a list of IP addresses or networks such as 10.0.0.0/8; "${entry}" is not one`,
      );
    return true;
  });
};

/** Names or IP addresses as they are in a URL, without ports. */
export const parseHosts: Parser<string[]> = (text, name) => {
  const hosts = text.split(",").map((entry) => entry.trim().toLowerCase());
  return hosts.filter((host) => {
    if (host !== "" && URL.parse(`https://${host}/`)?.hostname !== host)
      throw new OperatorError(
        `${name} must be a list of hosts such as hooks.internal or 10.0.0.5; "${host}" is not one`,
      );
    return host !== "";
  });
};

/** Paths that are not the API's: what is there now, and what is reserved for later. */
const reservedPaths = ["/console", "/docs", "/healthz", "/l", "/mcp", "/metrics", "/readyz", "/.well-known"];

/** A path without a slash at the end; empty for the root. */
export const parseApiPath: Parser<string> = (text, name) => {
  const path = text === "/" ? "" : text.replace(/\/$/, "");
  const reserved = reservedPaths.find((other) => path === other || path.startsWith(`${other}/`));
  if (reserved !== undefined)
    throw new OperatorError(`${name} cannot be ${reserved} or a path below it, which is reserved`);
  if (!/^(\/[A-Za-z0-9._~-]+)*$/.test(path))
    throw new OperatorError(`${name} must be a path such as /api, or /, not "${text}"`);
  return path;
};

/** An https origin without a path, because browsers sign people in at an origin; undefined for an empty text. */
export const parseOrigin: Parser<string | undefined> = (text, name) => {
  if (text === "") return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== "https:" || url.pathname !== "/" || url.search || url.hash || url.username || url.password)
    throw new OperatorError(
      `${name} must be an HTTPS address without a path, such as https://snippets.example.com, not "${text}"`,
    );
  return url.origin;
};

/** Origins exactly as browsers send them, separated by commas. Without HTTPS only on this computer, for development. */
export const parseOrigins: Parser<string[]> = (text, name) => {
  const origins = text.split(",").map((entry) => entry.trim());
  return origins.filter((origin) => {
    const url = URL.parse(origin);
    const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && localHosts.includes(url.hostname));
    if (origin !== "" && !(isSafe && url?.origin === origin && !origin.includes("*")))
      throw new OperatorError(
        `${name} must be a list of origins such as https://app.example.com or http://localhost:3000; "${origin}" is not one`,
      );
    return origin !== "";
  });
};

const localHosts = ["localhost", "127.0.0.1", "[::1]"];

export const parseHttpsUrl: Parser<string> = (text, name) => {
  if (!URL.canParse(text) || new URL(text).protocol !== "https:")
    throw new OperatorError(`${name} must be an HTTPS address, not "${text}"`);
  return text;
};

/** A file or an HTTPS address; undefined for an empty text. The message never repeats it, because it may hold a secret. */
export const parseSink: Parser<string | undefined> = (text, name) => {
  if (text === "") return undefined;
  const isAddress = /^[a-z][a-z0-9+.-]*:\/\//i.test(text);
  if (isAddress && !(text.startsWith("https://") && URL.canParse(text)))
    throw new OperatorError(`${name} must be a file or an HTTPS address`);
  return text;
};

/** `Name: value`; undefined for an empty text. The message never repeats it. */
export const parseHeader: Parser<{ readonly name: string; readonly value: string } | undefined> = (text, setting) => {
  if (text === "") return undefined;
  const [, name, value] = /^([A-Za-z0-9-]+): *([\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)$/.exec(text) ?? [];
  if (name === undefined || value === undefined)
    throw new OperatorError(`${setting} must be a header such as "Authorization: Bearer SECRET"`);
  return { name, value };
};

/** The message never repeats the URL, which may hold a password. */
export const parseDatabaseUrl: Parser<DatabaseLocation> = (text, name) => {
  const path = /^sqlite:(?:\/\/)?([^:?]+)$/.exec(text)?.[1];
  if (path !== undefined) return { engine: "sqlite", path };
  if (/^postgres(ql)?:\/\/[^/?#]+\/[^/?#]+/.test(text) && URL.canParse(text)) return { engine: "postgres", url: text };
  throw new OperatorError(`${name} must be postgres://USER:PASSWORD@HOST/NAME or sqlite:PATH`);
};

/** The message never repeats the URL, which may hold a password. */
export const parseMailUrl: Parser<string> = (text, name) => {
  if (!/^(smtps?:\/\/[^/?#]+\/?|smtp:\/\/[^/?#@]+\/?\?tls=optional)$/.test(text) || !URL.canParse(text))
    throw new OperatorError(`${name} must be smtp://USER:PASSWORD@HOST:PORT or smtps://USER:PASSWORD@HOST:PORT`);
  return text;
};

/** The message never repeats the key. */
export const parseInstanceKey: Parser<string | undefined> = (text, name) => {
  if (text === "") return undefined;
  if (text.length < 32 || /\s/.test(text))
    throw new OperatorError(`${name} must have at least 32 characters, without spaces`);
  return text;
};

/** age public keys, separated by commas. */
export const parseRecipients: Parser<string[]> = (text, name) => {
  const recipients = text.split(",").map((recipient) => recipient.trim());
  return recipients.filter((recipient) => {
    if (recipient !== "" && !isRecipient(recipient))
      throw new OperatorError(`${name} must be a list of age public keys such as age1…; "${recipient}" is not one`);
    return recipient !== "";
  });
};

/** An address, with or without a name: `Commonplace <commonplace@example.com>`. */
export const parseMailSender: Parser<string> = (text, name) => {
  if (!/^(?:[^<>\p{Cc}]* <)?[^\s@<>]+@[^\s@<>]+>?$/u.test(text))
    throw new OperatorError(`${name} must be an email address such as commonplace@example.com, not "${text}"`);
  return text;
};

export const textUpTo =
  (lengthMax: number): Parser<string> =>
  (text, name) => {
    if (text.length > lengthMax) throw new OperatorError(`${name} must have at most ${lengthMax} characters`);
    return text;
  };

/** One line of the seller's details on an invoice. */
export const parseBillingLine: Parser<string> = (text, name) => {
  const { billingLineLengthMax } = consoleLimits;
  if ([...text].length > billingLineLengthMax || /\p{Cc}/u.test(text))
    throw new OperatorError(
      `${name} must have at most ${billingLineLengthMax} characters per line, none of them control characters`,
    );
  return text.trim();
};

/** The lines of an address, separated by semicolons or line breaks. */
export const parseAddress: Parser<string[]> = (text, name) => {
  const lines = text
    .split(/[;\r\n]+/)
    .map((line) => parseBillingLine(line, name))
    .filter((line) => line !== "");
  if (lines.length > consoleLimits.addressLinesMax)
    throw new OperatorError(`${name} must have at most ${consoleLimits.addressLinesMax} lines`);
  return lines;
};

/** In basis points: 8.1% is 810. */
export const parsePercent: Parser<number> = (text, name) => {
  if (!/^\d{1,2}(\.\d{1,2})?$/.test(text))
    throw new OperatorError(`${name} must be a percentage from 0 to 99.99, such as 19 or 8.1, not "${text}"`);
  return Math.round(Number(text) * 100);
};

/** A month such as 2026-12; undefined for an empty text. */
export const parseMonth: Parser<string | undefined> = (text, name) => {
  if (text === "") return undefined;
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(text))
    throw new OperatorError(`${name} must be a month such as 2026-12, not "${text}"`);
  return text;
};

/** Also part of the names of PDF files. */
export const parseInvoicePrefix: Parser<string> = (text, name) => {
  if (!/^[A-Za-z0-9-]{1,20}$/.test(text))
    throw new OperatorError(`${name} must be 1 to 20 letters, digits, and hyphens, not "${text}"`);
  return text;
};

/** A font file, with the name of the font if the file is a collection; undefined for an empty text. */
export const parseFont: Parser<{ path: string; name: string | undefined } | undefined> = (text, setting) => {
  if (text === "") return undefined;
  const [, path = "", name] = /^(.+?\.(?:ttf|otf|ttc|otc))(?:#(.+))?$/i.exec(text) ?? [];
  const isCollection = /c$/i.test(path);
  if (path === "" || isCollection !== (name !== undefined))
    throw new OperatorError(`${setting} must be a file such as font.ttf, font.otf, or font.ttc#NAME, not "${text}"`);
  return { path, name };
};
