// Slows down guessing without locking anybody out: too many failures from one network are told to wait a minute at most; at one account,
// each further try only takes longer. Nothing here can keep the right person with the right password out.

import { networkOf } from "../../platform/client-network.ts";
import type { Clock } from "../../platform/database/database.ts";
import { hourMilliseconds, minuteMilliseconds } from "../../platform/time.ts";

const windowMilliseconds = minuteMilliseconds;
/** Failures of one network in the window. A guess costs a hash, so it is told to wait before that. */
export const failuresMax = 30;
/** Failures at one account that cost no time; a person mistypes. */
const freeFailures = 3;
const delayFirstMilliseconds = 250;
export const delayMaxMilliseconds = 4_000;
/** After so long without a failure, an account's failures are forgotten. */
const forgottenAfterMilliseconds = 15 * minuteMilliseconds;
/** Links to a new password that are mailed to one address in an hour. */
const mailsMax = 3;
/** Links that one network asks for in an hour: a list of addresses is no way to write to everybody. */
const mailsOfNetworkMax = 20;
const mailWindowMilliseconds = hourMilliseconds;
/** No address is longer (RFC 5321); what is typed instead of one may be, and is kept no longer. */
const accountLengthMax = 254;
/** Beyond this many entries, those whose time is over are forgotten. */
const sweptAtMin = 10_000;

/** A try that counts as a failure until it was none. */
export interface Guess {
  /** How long it takes longer because of those before it. Accounts that do not exist are no different. */
  readonly delayMilliseconds: number;
  readonly takeBack: () => void;
}

/** Kept in memory, by each process for itself. */
export class SignInThrottle {
  readonly #networks = new TimesByName(windowMilliseconds);
  readonly #accounts = new TimesByName(forgottenAfterMilliseconds);
  readonly #mails = new TimesByName(mailWindowMilliseconds);
  readonly #mailingNetworks = new TimesByName(mailWindowMilliseconds);

  constructor(readonly clock: Clock) {}

  /** Whole seconds that this network has to wait; undefined where it may try. */
  waitSeconds(clientAddress: string): number | undefined {
    const now = this.clock();
    const recent = this.#networks.recent(networkOf(clientAddress), now);
    const [oldest = now] = recent;
    if (recent.length < failuresMax) return undefined;
    return Math.max(1, Math.ceil((oldest + windowMilliseconds - now) / 1_000));
  }

  /** Counts a try before it is known what becomes of it: many at the same moment are as many. */
  guess(clientAddress: string, account: string | undefined): Guess {
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
      takeBack: () => {
        this.#networks.takeBack(network, now);
        if (name !== undefined) this.#accounts.takeBack(name, now);
      },
    };
  }

  /** Whoever was let in has shown who they are. */
  succeeded(account: string): void {
    this.#accounts.forget(account.slice(0, accountLengthMax));
  }

  /** Counts a mail to the address, asked for from this one. False where there were enough of them. */
  mayMail(clientAddress: string, email: string): boolean {
    const now = this.clock();
    const network = networkOf(clientAddress);
    if (this.#mailingNetworks.recent(network, now).length >= mailsOfNetworkMax) return false;
    this.#mailingNetworks.add(network, now, mailsOfNetworkMax);
    if (this.#mails.recent(email, now).length >= mailsMax) return false;
    this.#mails.add(email, now, mailsMax);
    return true;
  }
}

/** Moments of the last time, by name. */
class TimesByName {
  readonly #times = new Map<string, number[]>();
  #sweptAt = sweptAtMin;

  constructor(readonly keptMilliseconds: number) {}

  recent(name: string, now: number): readonly number[] {
    return (this.#times.get(name) ?? []).filter((time) => time > now - this.keptMilliseconds);
  }

  /** @param most of one name that are kept: the newest */
  add(name: string, now: number, most: number): void {
    if (this.#times.size >= this.#sweptAt) this.#sweep(now);
    this.#times.set(name, [...this.recent(name, now), now].slice(-most));
  }

  takeBack(name: string, time: number): void {
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
    // Not before as many again: else a flood of new names would pay for a whole sweep with each call.
    this.#sweptAt = Math.max(sweptAtMin, 2 * this.#times.size);
  }
}
