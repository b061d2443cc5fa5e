// Slows down guessing of passwords and codes without locking anybody out. A network with too many failures waits for a minute at most;
// at one account, each further attempt only takes longer. A person with the right password always gets in.

import { consoleErrors } from "../../contract/console/errors.ts";
import { networkOf } from "../../platform/client-network.ts";
import type { Clock } from "../../platform/database/database.ts";
import { hourMilliseconds, minuteMilliseconds } from "../../platform/time.ts";

const windowMilliseconds = minuteMilliseconds;
/** Failures of one network in the window. Further attempts are refused before they cost a hash. */
export const failuresMax = 30;
/** Failures at one account without a delay: people mistype. */
const freeFailures = 3;
const delayFirstMilliseconds = 250;
export const delayMaxMilliseconds = 4_000;
/** An account's failures are forgotten after this time without another. */
const forgottenAfterMilliseconds = 15 * minuteMilliseconds;
/** Password reset links that are mailed to one address within an hour. */
const mailsMax = 3;
/** Links that one network may request within an hour, so that nobody mails to a list of addresses. */
const mailsOfNetworkMax = 20;
const mailWindowMilliseconds = hourMilliseconds;
/** The longest possible address (RFC 5321). Longer input is cut. */
const accountLengthMax = 254;
/** From this many entries on, expired ones are removed. */
const sweptAtMin = 10_000;

/** An attempt that counts as a failure until it is retracted. */
export interface CountedAttempt {
  /** The delay that earlier failures cause. It is the same for accounts that do not exist. */
  readonly delayMilliseconds: number;
  readonly retract: () => void;
}

/**
 * Makes an attempt that may be a guess, after the delay that earlier failures at the account cause.
 * @throws Refusal `rate_limited` for a network with too many failures
 */
export type Attempt = <T>(
  clientAddress: string,
  account: string | undefined,
  attempt: () => Promise<T>,
  hasFailed: (outcome: T) => boolean,
) => Promise<T>;

export const throttledBy =
  (throttle: SignInThrottle, pause: (milliseconds: number) => Promise<void>): Attempt =>
  async (clientAddress, account, attempt, hasFailed) => {
    const seconds = throttle.secondsToWait(clientAddress);
    if (seconds !== undefined) throw consoleErrors.tooManyAttempts(seconds);
    const { delayMilliseconds, retract } = throttle.count(clientAddress, account);
    let isFailure = false;
    try {
      if (delayMilliseconds > 0) await pause(delayMilliseconds);
      const outcome = await attempt();
      isFailure = hasFailed(outcome);
      return outcome;
    } finally {
      // A failure of our own is not a wrong guess.
      if (!isFailure) retract();
    }
  };

/** The recent failures that one process has seen. Nothing is stored. */
export class SignInThrottle {
  readonly #networks = new RecentTimes(windowMilliseconds);
  readonly #accounts = new RecentTimes(forgottenAfterMilliseconds);
  readonly #mails = new RecentTimes(mailWindowMilliseconds);
  readonly #mailingNetworks = new RecentTimes(mailWindowMilliseconds);

  constructor(readonly clock: Clock) {}

  /** Whole seconds that this network has to wait; undefined where it may try. */
  secondsToWait(clientAddress: string): number | undefined {
    const now = this.clock();
    const recent = this.#networks.recent(networkOf(clientAddress), now);
    const [oldest = now] = recent;
    if (recent.length < failuresMax) return undefined;
    return Math.max(1, Math.ceil((oldest + windowMilliseconds - now) / 1_000));
  }

  /** Counts an attempt before its outcome is known, so that simultaneous attempts all count. */
  count(clientAddress: string, account: string | undefined): CountedAttempt {
    const now = this.clock();
    const network = networkOf(clientAddress);
    const name = account?.slice(0, accountLengthMax);
    const failures = name === undefined ? 0 : this.#accounts.recent(name, now).length;
    this.#networks.add(network, now, failuresMax);
    if (name !== undefined) this.#accounts.add(name, now, freeFailures + 8);
    return {
      delayMilliseconds:
        failures < freeFailures
          ? 0
          : Math.min(delayMaxMilliseconds, delayFirstMilliseconds * 2 ** (failures - freeFailures)),
      retract: () => {
        this.#networks.retract(network, now);
        if (name !== undefined) this.#accounts.retract(name, now);
      },
    };
  }

  /** Called after a successful sign-in. */
  forgetFailures(account: string): void {
    this.#accounts.forget(account.slice(0, accountLengthMax));
  }

  /** Counts a mail to the address, requested by this client. @returns false where too many were requested */
  admitMail(clientAddress: string, email: string): boolean {
    const now = this.clock();
    const network = networkOf(clientAddress);
    if (this.#mailingNetworks.recent(network, now).length >= mailsOfNetworkMax) return false;
    this.#mailingNetworks.add(network, now, mailsOfNetworkMax);
    if (this.#mails.recent(email, now).length >= mailsMax) return false;
    this.#mails.add(email, now, mailsMax);
    return true;
  }
}

/** Recent moments by name. */
class RecentTimes {
  readonly #times = new Map<string, number[]>();
  #sweptAt = sweptAtMin;

  constructor(readonly keptMilliseconds: number) {}

  recent(name: string, now: number): readonly number[] {
    return (this.#times.get(name) ?? []).filter((time) => time > now - this.keptMilliseconds);
  }

  /** @param most how many of a name are kept, the newest */
  add(name: string, now: number, most: number): void {
    if (this.#times.size >= this.#sweptAt) this.#sweep(now);
    this.#times.set(name, [...this.recent(name, now), now].slice(-most));
  }

  retract(name: string, time: number): void {
    const times = this.#times.get(name);
    const at = times?.lastIndexOf(time) ?? -1;
    if (times && at >= 0) this.#times.set(name, times.toSpliced(at, 1));
  }

  forget(name: string): void {
    this.#times.delete(name);
  }

  #sweep(now: number): void {
    for (const [name, times] of this.#times)
      if ((times.at(-1) ?? 0) <= now - this.keptMilliseconds) this.#times.delete(name);
    // The next sweep waits for twice as many entries: otherwise, in a flood of new names, each call would sweep all of them.
    this.#sweptAt = Math.max(sweptAtMin, 2 * this.#times.size);
  }
}
