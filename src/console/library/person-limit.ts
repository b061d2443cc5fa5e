// Limits what one person does in the console within a minute. It costs nothing, so nothing else would end a page or a script that runs wild.
import { consoleErrors } from "../../contract/console/errors.ts";
import { consoleLimits } from "../../contract/console/limits.ts";
import type { Clock } from "../../platform/database/database.ts";
import { minuteMilliseconds } from "../../platform/time.ts";

interface Minute {
  readonly endsAt: number;
  reads: number;
  acts: number;
}

/** From this many people on, those of past minutes are forgotten. */
const sweptAt = 10_000;

/** The counts of one process. Nothing is stored. */
export class PersonLimit {
  readonly #minutes = new Map<string, Minute>();

  constructor(readonly clock: Clock) {}

  /** Counts a call, also one that is refused. @throws Refusal `rate_limited` */
  count(personId: string, isRead: boolean): void {
    const now = this.clock();
    let minute = this.#minutes.get(personId);
    if (!minute || minute.endsAt <= now) {
      if (this.#minutes.size >= sweptAt) this.#sweep(now);
      minute = { endsAt: now + minuteMilliseconds, reads: 0, acts: 0 };
      this.#minutes.set(personId, minute);
    }
    const { personReadsPerMinute, personActsPerMinute } = consoleLimits;
    if (isRead) minute.reads += 1;
    else minute.acts += 1;
    if (minute.reads > personReadsPerMinute || minute.acts > personActsPerMinute)
      throw consoleErrors.tooManyActs(Math.max(1, Math.ceil((minute.endsAt - now) / 1_000)));
  }

  #sweep(now: number): void {
    for (const [personId, { endsAt }] of this.#minutes) if (endsAt <= now) this.#minutes.delete(personId);
  }
}
