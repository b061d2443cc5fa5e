// Whether somebody asks the service for something right now, so that long work knows when to make room.

/** Somebody who asks again and again leaves shorter breaks. */
const quietAfterMilliseconds = 50;
/** A request with a larger body takes long by itself. */
const smallBodyBytesMax = 8 * 1_024;

/** How much a request asks for, by the length of its body. */
export type RequestSize = "small" | "large";

/** @param bodyBytes the declared length of a body; null without one */
export const sizeOf = (bodyBytes: string | null): RequestSize =>
  bodyBytes !== null && Number(bodyBytes) > smallBodyBytesMax ? "large" : "small";

interface Count {
  inProgress: number;
  endedAt: number;
}
const noRequests = (): Count => ({ inProgress: 0, endedAt: Number.NEGATIVE_INFINITY });

export class Demand {
  readonly #now: () => number;
  readonly #counts: Readonly<Record<RequestSize, Count>> = { small: noRequests(), large: noRequests() };

  /** @param now milliseconds of a stopwatch */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  begin(size: RequestSize): void {
    this.#counts[size].inProgress += 1;
  }

  end(size: RequestSize): void {
    const count = this.#counts[size];
    count.inProgress -= 1;
    count.endedAt = this.#now();
  }

  /** Whether there has been no request for a moment. */
  readonly isQuiet = (): boolean => this.#isQuiet("small") && this.#isQuiet("large");

  /** Whether there is a request that needs little, or was a moment ago. */
  readonly hasSmall = (): boolean => !this.#isQuiet("small");

  #isQuiet(size: RequestSize): boolean {
    const { inProgress, endedAt } = this.#counts[size];
    return inProgress === 0 && this.#now() - endedAt >= quietAfterMilliseconds;
  }
}
