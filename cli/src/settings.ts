// Which service cpl talks to, and with which key: from the environment, or stored by `cpl login`.
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { exitStatus } from "../../src/contract/exit-status.ts";
import { Failure } from "./failures.ts";
import { type Keychain, openKeychain } from "./keychain.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** What a request needs. */
export interface Access {
  /** The URL of the API, such as `https://snippets.example.com/api`. */
  readonly url: string;
  readonly key: string;
  /** The certificate authority to trust, as PEM. The system's, if undefined. */
  readonly ca: string | undefined;
}

/** The file that `cpl login` writes. */
interface Stored {
  readonly url: string;
  readonly ca?: string;
  /** Only where there is no keychain. */
  readonly key?: string;
}

export class Settings {
  readonly path: string;
  readonly cacheDirectory: string;
  readonly environment: Environment;
  readonly #keychain: Keychain | undefined;

  constructor(environment: Environment) {
    this.path = join(directoryOf(environment, "XDG_CONFIG_HOME", ".config"), "commonplace/cpl.json");
    this.cacheDirectory = join(directoryOf(environment, "XDG_CACHE_HOME", ".cache"), "commonplace");
    this.environment = environment;
    this.#keychain = openKeychain(environment);
  }

  /** @throws Failure if there is no address or no key */
  access(): Access {
    const { CPL_URL, CPL_KEY, CPL_CA } = this.environment;
    const stored = this.#read();
    const url = CPL_URL ? apiUrl(CPL_URL) : stored?.url;
    const isStored = url !== undefined && url === stored?.url;
    // A stored key is sent to the service it was stored for, and to no other.
    const key = CPL_KEY || (isStored ? (stored.key ?? this.#keychain?.read(stored.url)) : undefined);
    if (url === undefined || key === undefined)
      throw new Failure(
        url === undefined
          ? "you are not logged in. Run cpl login, or set CPL_URL and CPL_KEY"
          : `there is no key for ${url}. Run cpl login, or set CPL_KEY`,
        exitStatus.notSignedIn,
      );
    return { url, key, ca: CPL_CA ? readCa(CPL_CA) : isStored ? stored.ca : undefined };
  }

  /** @returns where the key is now */
  save({ url, key, ca }: Access): "keychain" | "file" {
    this.forget();
    const isInKeychain = this.#keychain?.write(url, key) === true;
    this.#write({ url, ...(ca !== undefined && { ca }), ...(!isInKeychain && { key }) });
    return isInKeychain ? "keychain" : "file";
  }

  /** Removes the stored key, and what was fetched. @returns the address that was stored */
  forget(): string | undefined {
    const stored = this.#read();
    if (stored && stored.key === undefined) this.#keychain?.remove(stored.url);
    rmSync(this.path, { force: true });
    rmSync(this.cacheDirectory, { recursive: true, force: true });
    return stored?.url;
  }

  #read(): Stored | undefined {
    let text: string;
    try {
      text = readFileSync(this.path, "utf8");
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
      throw error;
    }
    const stored = parseStored(text);
    if (!stored) throw new Failure(`${this.path} is damaged. Run cpl logout, then cpl login`, exitStatus.notSignedIn);
    return stored;
  }

  /** A reader sees the old file or the new one, and nobody else can read either. */
  #write(stored: Stored): void {
    mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 });
    const temporary = `${this.path}.${process.pid}`;
    writeFileSync(temporary, `${JSON.stringify(stored, null, 2)}\n`, { mode: 0o600 });
    renameSync(temporary, this.path);
  }
}

/** `snippets.example.com` → `https://snippets.example.com/api`. A URL of the console means its service. @throws Failure */
export function apiUrl(address: string): string {
  const withProtocol = /^[a-z][a-z0-9+.-]*:\/\//i.test(address) ? address : `https://${address}`;
  let url: URL;
  try {
    url = new URL(withProtocol);
  } catch {
    throw new Failure(`"${address}" is not an address such as https://snippets.example.com`);
  }
  if (url.protocol !== "https:") throw new Failure("the address must begin with https://");
  const path = url.pathname.replace(/\/+$/, "");
  return url.origin + (path === "" || /^\/console(\/|$)/.test(path) ? "/api" : path);
}

/** @throws Failure unless the file has a certificate */
export function readCa(path: string): string {
  const text = readFileSync(path, "utf8");
  if (!text.includes("-----BEGIN CERTIFICATE-----")) throw new Failure(`${path} has no certificate in PEM format`);
  return text;
}

/** The specification of these variables says to ignore relative paths. */
function directoryOf(environment: Environment, variable: string, below: string): string {
  const path = environment[variable];
  return path !== undefined && isAbsolute(path) ? path : join(environment.HOME || homedir(), below);
}

function parseStored(text: string): Stored | undefined {
  try {
    const { url, ca, key } = JSON.parse(text) as Record<string, unknown>;
    if (typeof url !== "string") return undefined;
    return { url, ...(typeof ca === "string" && { ca }), ...(typeof key === "string" && { key }) };
  } catch {
    return undefined;
  }
}
