// A queue in which nobody waits for everything that somebody else has put in: workspaces take turns, and the keys of each workspace do.

/** Whose something is. */
export interface Owner {
  readonly workspace: string;
  readonly key: string;
}

/** The owner of what belongs to no key: jobs, commands, the console. */
export const noOwner: Owner = { workspace: "", key: "" };

/** How many may wait: in all, of a workspace, and of a key. */
export interface QueueLimits {
  readonly total: number;
  readonly workspace: number;
  readonly key: number;
}

/** False for an owner whose turn is left out. */
type MayGo = (workspace: string, key: string) => boolean;

/** How many wait somewhere, for the metrics. */
export interface QueueState {
  readonly name: string;
  readonly waiting: number;
  readonly max: number;
}

/** Every step takes constant time, however many wait. */
export class FairQueue<Item> {
  readonly limits: QueueLimits;
  readonly #workspaces = new Lines<Lines<Fifo<Item>>>();
  #size = 0;

  constructor(limits: QueueLimits) {
    this.limits = limits;
  }

  get size(): number {
    return this.#size;
  }

  /** @returns false where too many wait already */
  push({ workspace, key }: Owner, item: Item): boolean {
    const { limits } = this;
    const ofWorkspace = this.#workspaces.find(workspace);
    const ofKey = ofWorkspace?.members.find(key);
    if (this.#size >= limits.total) return false;
    if ((ofWorkspace?.waiting ?? 0) >= limits.workspace || (ofKey?.waiting ?? 0) >= limits.key) return false;
    const keys = ofWorkspace ?? this.#workspaces.add(workspace, new Lines());
    const items = ofKey ?? keys.members.add(key, new Fifo());
    items.members.push(item);
    items.waiting += 1;
    keys.waiting += 1;
    this.#size += 1;
    return true;
  }

  /** Takes the next in turn. @returns undefined where nobody is left */
  shift(mayGo: MayGo = anyone): Item | undefined {
    if (this.#size === 0) return undefined;
    return this.#workspaces.next((keys) =>
      keys.members.next((items) => {
        if (!mayGo(keys.name, items.name)) return undefined;
        items.waiting -= 1;
        keys.waiting -= 1;
        this.#size -= 1;
        return items.members.shift();
      }),
    );
  }
}

const anyone: MayGo = () => true;

interface Line<Members> {
  readonly name: string;
  readonly members: Members;
  /** How many wait in it. */
  waiting: number;
}

/** Lines that take turns. */
class Lines<Members> {
  readonly #byName = new Map<string, Line<Members>>();
  readonly #inTurn = new Fifo<Line<Members>>();
  /** Queues up again only when the next one is asked for: who comes meanwhile goes first. */
  #served: Line<Members> | undefined;

  find(name: string): Line<Members> | undefined {
    return this.#byName.get(name);
  }

  add(name: string, members: Members): Line<Members> {
    const line = { name, members, waiting: 0 };
    this.#byName.set(name, line);
    this.#inTurn.push(line);
    return line;
  }

  /** @param take takes from the line in turn; undefined where that cannot be */
  next<Item>(take: (line: Line<Members>) => Item | undefined): Item | undefined {
    const served = this.#served;
    this.#served = undefined;
    if (served) {
      if (served.waiting > 0) this.#inTurn.push(served);
      else this.#byName.delete(served.name);
    }
    for (let left = this.#inTurn.size; left > 0; left -= 1) {
      const line = this.#inTurn.shift();
      const taken = line && take(line);
      if (taken !== undefined) {
        this.#served = line;
        return taken;
      }
      if (line) this.#inTurn.push(line);
    }
    return undefined;
  }
}

/** First in, first out. An array's own `shift` moves all that is left. */
class Fifo<Item> {
  readonly #items: (Item | undefined)[] = [];
  #head = 0;

  get size(): number {
    return this.#items.length - this.#head;
  }

  push(item: Item): void {
    this.#items.push(item);
  }

  shift(): Item | undefined {
    const item = this.#items[this.#head];
    this.#items[this.#head] = undefined;
    this.#head += 1;
    if (this.#head * 2 >= this.#items.length) {
      this.#items.splice(0, this.#head);
      this.#head = 0;
    }
    return item;
  }
}
