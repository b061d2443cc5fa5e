// The system's keychain, through its own program: `security` on macOS, `secret-tool` elsewhere. The key never appears among a program's
// arguments, where other users could see it.
import { spawnSync } from "node:child_process";
import type { Environment } from "./settings.ts";

export interface Keychain {
  readonly read: (account: string) => string | undefined;
  /** @returns false if the keychain is not available */
  readonly write: (account: string, secret: string) => boolean;
  readonly remove: (account: string) => void;
}

const service = "commonplace-cpl";
/** Long enough for a person to unlock it. */
const waitMilliseconds = 60_000;

/** @returns undefined where the system has none */
export function openKeychain(environment: Environment): Keychain | undefined {
  const run = (program: string, words: readonly string[], input = "") => {
    const { status, stdout } = spawnSync(program, words, {
      input,
      encoding: "utf8",
      timeout: waitMilliseconds,
      env: { ...environment },
      stdio: ["pipe", "pipe", "ignore"],
    });
    return status === 0 ? stdout : undefined;
  };
  return process.platform === "darwin" ? macos(run) : process.platform === "win32" ? undefined : secretService(run);
}

/** @returns what the program printed; undefined if it failed or does not exist */
type Run = (program: string, words: readonly string[], input?: string) => string | undefined;

const macos = (run: Run): Keychain => ({
  read: (account) =>
    run("security", ["find-generic-password", "-s", service, "-a", account, "-w"])?.trim() || undefined,
  // `security -i` reads its command from standard input. Neither a URL nor a key contains a quote.
  write: (account, secret) =>
    run("security", ["-i"], `add-generic-password -U -s ${service} -a "${account}" -w "${secret}"\n`) !== undefined,
  remove: (account) => void run("security", ["delete-generic-password", "-s", service, "-a", account]),
});

const secretService = (run: Run): Keychain => {
  const attributes = (account: string) => ["service", service, "account", account];
  return {
    read: (account) => run("secret-tool", ["lookup", ...attributes(account)])?.trim() || undefined,
    write: (account, secret) =>
      run("secret-tool", ["store", "--label=Commonplace (cpl)", ...attributes(account)], secret) !== undefined,
    remove: (account) => void run("secret-tool", ["clear", ...attributes(account)]),
  };
};
