// Whether somebody asks the service for something right now, so that background work knows when to make room.

/** Somebody who asks again and again leaves shorter breaks. */
const quietAfterMilliseconds = 50;

export class Demand {
  readonly #now: () => number;
  #inProgress = 0;
  #endedAt = Number.NEGATIVE_INFINITY;

  /** @param now milliseconds of a stopwatch */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  begin(): void {
    this.#inProgress += 1;
  }

  end(): void {
    this.#inProgress -= 1;
    this.#endedAt = this.#now();
  }

  /** Whether there has been no request for a moment. */
  readonly isQuiet = (): boolean => this.#inProgress === 0 && this.#now() - this.#endedAt >= quietAfterMilliseconds;
}
