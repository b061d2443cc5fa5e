// Hashes passwords with argon2id, a few at a time: each takes a core and 19 MB for a moment, and guessing costs the guesser nothing.
import { consoleErrors } from "../../contract/console/errors.ts";

/** OWASP's second choice of parameters: as costly to guess as the first, with less memory. */
const parameters = { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 } as const;

const atOnceMax = 2;
const waitingMax = 32;
const retryAfterSeconds = 2;

/** Computes hashes; tests replace it to count calls. */
export interface Hasher {
  readonly hash: (password: string) => Promise<string>;
  readonly verify: (password: string, hash: string) => Promise<boolean>;
}

const argon2: Hasher = {
  hash: (password) => Bun.password.hash(password, parameters),
  verify: (password, hash) => Bun.password.verify(password, hash),
};

/** All password hashing of one process. */
export class PasswordHashing implements Hasher {
  #callers = 0;
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(readonly hasher: Hasher = argon2) {}

  /** Runs a call that hashes while it holds a slot of the queue. @throws Refusal 503 when the queue is full */
  async withQueueSlot<T>(call: () => Promise<T>): Promise<T> {
    if (this.#callers >= atOnceMax + waitingMax) throw consoleErrors.signInBusy(retryAfterSeconds);
    this.#callers += 1;
    try {
      return await call();
    } finally {
      this.#callers -= 1;
    }
  }

  readonly hash = (password: string): Promise<string> => this.#limited(() => this.hasher.hash(password));

  readonly verify = (password: string, hash: string): Promise<boolean> =>
    this.#limited(() => this.hasher.verify(password, hash));

  async #limited<T>(work: () => Promise<T>): Promise<T> {
    // A finished call passes its slot to the first that waits, so the count stays the same.
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
