// Where a user's browsers look for certificate authorities to trust, which needs no administrator: NSS databases on Linux, for Chromium and
// Firefox, and the login keychain on macOS.
import { createHash, X509Certificate } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { Environment } from "../config.ts";
import { OperatorError } from "../platform/operator-error.ts";

/** An authority, and where it is stored. */
export interface Authority {
  /** A file in PEM format. */
  readonly path: string;
  /** What the stores call it: different for each data directory. */
  readonly name: string;
}

export interface TrustStore {
  /** A path that people can recognize. */
  readonly path: string;
  /** Replaces an authority of the same name. @throws OperatorError */
  readonly add: (authority: Authority) => void;
  /** @returns whether it was there */
  readonly remove: (authority: Authority) => boolean;
}

/** The stores of this user. @throws OperatorError if they cannot be changed on this machine */
export function findTrustStores(environment: Environment): TrustStore[] {
  const home = environment.HOME || homedir();
  if (process.platform === "darwin") return [keychain(join(home, "Library/Keychains/login.keychain-db"))];
  if (Bun.which("certutil", { PATH: environment.PATH ?? "" }) === null)
    throw new OperatorError(
      "certutil, which changes what browsers trust, is not installed. On Debian and Ubuntu, install it with apt-get install libnss3-tools",
    );
  return nssDirectories(home, environment).map(nssDatabase);
}

/** The database that Chromium and others share, and those of Firefox. */
function nssDirectories(home: string, { XDG_DATA_HOME, XDG_CONFIG_HOME }: Environment): string[] {
  const shared = join(home, ".pki/nssdb");
  const others = [
    join(XDG_DATA_HOME || join(home, ".local/share"), "pki/nssdb"),
    join(home, "snap/chromium/current/.pki/nssdb"),
    ...firefoxFolders.flatMap((folder) => profilesIn(join(home, folder))),
    ...profilesIn(join(XDG_CONFIG_HOME || join(home, ".config"), "mozilla/firefox")),
  ].filter((directory) => existsSync(join(directory, databaseFile)));
  return [shared, ...others];
}

const databaseFile = "cert9.db";

const firefoxFolders = [
  ".mozilla/firefox",
  "snap/firefox/common/.mozilla/firefox",
  ".var/app/org.mozilla.firefox/.mozilla/firefox",
] as const;

const profilesIn = (folder: string): string[] =>
  existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];

function nssDatabase(directory: string): TrustStore {
  const certutil = (...words: string[]) => run(["certutil", "-d", `sql:${directory}`, ...words]);
  const isThere = () => existsSync(join(directory, databaseFile));
  const remove = ({ name }: Authority): boolean => {
    let removed = false;
    // Each removes one of those that have the name.
    while (isThere() && certutil("-D", "-n", name).isDone) removed = true;
    return removed;
  };
  return {
    path: directory,
    remove,
    add: (authority) => {
      if (!isThere()) {
        mkdirSync(directory, { recursive: true, mode: 0o700 });
        succeed(directory, certutil("-N", "--empty-password"));
      }
      remove(authority);
      // Trusted to sign certificates of servers, and nothing else.
      succeed(directory, certutil("-A", "-n", authority.name, "-t", "C,,", "-i", authority.path));
    },
  };
}

/** macOS asks the user for a password. */
const keychain = (path: string): TrustStore => ({
  path,
  add: (authority) =>
    succeed(path, run(["security", "add-trusted-cert", "-r", "trustRoot", "-k", path, authority.path])),
  remove: (authority) => {
    const sha1 = createHash("sha1")
      .update(new X509Certificate(readFileSync(authority.path)).raw)
      .digest("hex");
    return run(["security", "delete-certificate", "-t", "-Z", sha1.toUpperCase(), path]).isDone;
  },
});

interface Ran {
  readonly isDone: boolean;
  readonly said: string;
}

function run(words: readonly string[]): Ran {
  const { success, stderr } = Bun.spawnSync([...words], { stdin: "ignore", stderr: "pipe" });
  return { isDone: success, said: stderr.toString().trim() };
}

function succeed(path: string, { isDone, said }: Ran): void {
  if (!isDone) throw new OperatorError(`${path} cannot be changed: ${said}`);
}
