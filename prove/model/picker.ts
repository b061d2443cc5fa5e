// The dice that requests are built from, and what they pick for a request to refer to.
import type { Key, Workspace } from "./call.ts";
import type { Model } from "./model.ts";
import type { Fields, Noun, Request } from "./state.ts";

export class Dice {
  #next = 0;
  constructor(private readonly rolled: readonly number[]) {}
  below(count: number): number {
    const rolled = this.rolled[this.#next] ?? 0;
    this.#next += 1;
    return rolled % count;
  }
  /** True in one of so many cases, and never with a zero. */
  rarely = (oneIn: number): boolean => this.below(oneIn) === oneIn - 1;
  one = <T>(items: readonly T[]): T => items[this.below(items.length)] as T;
}

/** What requests refer to. */
export interface World {
  readonly model: Model;
  readonly keys: readonly Key[];
  /** Whether a response has told this ID. */
  readonly isKnown: (id: string) => boolean;
  /** IDs that were ever there, by kind. */
  readonly ever: Readonly<Record<Referred, string[]>>;
  /** Of each key and operation: the last request that has a next page, and the cursor of that page. */
  readonly pages: Map<string, { query: Readonly<Record<string, string>>; cursor: string }>;
  /** Of each key: its last request with an `Idempotency-Key`. */
  readonly repeatable: Map<Key, Request>;
  /** The versions of texts that clients have. */
  readonly versions: string[];
}
type Referred = Noun | "variation" | "team";

export const nobody = "019a0000-0000-7000-8000-000000000000";

/** Picks what a request refers to: mostly something of the key's workspace, sometimes what is gone, another's, or never was. */
export class Picker {
  constructor(
    readonly dice: Dice,
    private readonly world: World,
    readonly workspace: Workspace,
  ) {}
  keyIds = (): string[] => this.world.keys.map(({ id }) => id);
  private live(noun: Referred, { library }: Workspace): string[] {
    const of: Record<Referred, readonly Fields[]> = {
      ...library,
      variation: library.snippet.flatMap(({ variations }) => variations),
    };
    return of[noun].map(({ id }) => id);
  }
  id(noun: Referred): string {
    const { dice } = this;
    const sources = [this.live(noun, this.workspace), this.world.ever[noun], [nobody]];
    const ids = (sources[Math.max(0, dice.below(16) - 13)] ?? []).filter(
      (id) => id === nobody || this.world.isKnown(id),
    );
    const chosen = ids.length === 0 ? nobody : dice.one(ids.toReversed());
    return dice.rarely(24) && chosen.startsWith("~") ? `${chosen}^` : chosen;
  }
  /** Something that fits the team of a snippet or group. */
  ofTeam(noun: "folder" | "tag", team: string): string {
    const fitting = this.workspace.library[noun].filter(
      ({ id, team_id }) => team_id === team && this.world.isKnown(id),
    );
    return fitting.length === 0 || this.dice.rarely(8) ? this.id(noun) : this.dice.one(fitting).id;
  }
  ids(noun: Referred): string {
    const ids = Array.from({ length: 1 + this.dice.below(4) }, () => this.id(noun));
    return this.dice.one([ids.join(","), ids.join(" , "), JSON.stringify(ids)]);
  }
  /** A snippet of which all variations are known. */
  readSnippet(): Fields | undefined {
    const read = this.workspace.library.snippet.filter(({ variations }) =>
      variations.every(({ id }: Fields) => this.world.isKnown(id)),
    );
    return read.length === 0 ? undefined : this.dice.one(read.toReversed());
  }
  team = (): string => (this.dice.rarely(12) ? this.id("team") : this.dice.one(this.workspace.library.team).id);
}
