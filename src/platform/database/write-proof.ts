// Whether the database has shown lately that it can be written, so that a health check rarely has to write.

/** A commit is a proof for this long. */
const proofMilliseconds = 5_000;

export class WriteProof {
  #holdsUntil = 0;

  get holds(): boolean {
    return performance.now() < this.#holdsUntil;
  }

  /** A commit that wrote is durable. */
  committed(): void {
    this.#holdsUntil = performance.now() + proofMilliseconds;
  }

  /** Something failed, so that the next health check has to write. */
  failed(): void {
    this.#holdsUntil = 0;
  }
}
