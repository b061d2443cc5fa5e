// Passwords are hashed with argon2id, a few at a time: each takes a core and 19 MB for a moment, and whoever guesses pays nothing for it.
import { consoleErrors } from "../../contract/console/errors.ts";

/** OWASP's second choice of parameters, which costs as much as the first and less memory. */
const parameters = { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 } as const;

const atOnceMax = 2;
const waitingMax = 32;
const retryAfterSeconds = 2;

/** What really computes a hash; tests count through it. */
export interface Hasher {
  readonly hash: (password: string) => Promise<string>;
  readonly verify: (password: string, hash: string) => Promise<boolean>;
}

const argon2: Hasher = {
  hash: (password) => Bun.password.hash(password, parameters),
  verify: (password, hash) => Bun.password.verify(password, hash),
};

/** All hashing of one process. */
export class PasswordHashing implements Hasher {
  #callers = 0;
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(readonly hasher: Hasher = argon2) {}

  /** Runs a call that hashes, where there is room for it. @throws Refusal 503 */
  async admit<T>(call: () => Promise<T>): Promise<T> {
    if (this.#callers >= atOnceMax + waitingMax) throw consoleErrors.signInBusy(retryAfterSeconds);
    this.#callers += 1;
    try {
      return await call();
    } finally {
      this.#callers -= 1;
    }
  }

  readonly hash = (password: string): Promise<string> => this.#inTurn(() => this.hasher.hash(password));

  readonly verify = (password: string, hash: string): Promise<boolean> =>
    this.#inTurn(() => this.hasher.verify(password, hash));

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    // Who ends hands its place to the first who waits, so the number stays as it is.
    if (this.#running >= atOnceMax) await new Promise<void>((go) => this.#waiting.push(go));
    else this.#running += 1;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }
}
