// The process of an attack, so that the client that measures does not share its event loop. Prints what it did.
import type { Target } from "../test/support/floods.ts";
import { type AttackName, attacks } from "./attacks.ts";

export interface Order {
  readonly name: AttackName;
  readonly target: Omit<Target, "isOver">;
  readonly seconds: number;
}

/** What is left of an attack when its time is over ends with its process. */
const endSeconds = 3;

if (import.meta.main) {
  const { name, target, seconds } = JSON.parse(process.argv[2] ?? "") as Order;
  const until = performance.now() + seconds * 1_000;
  const damage = await Promise.race([
    attacks[name]({ ...target, isOver: () => performance.now() > until }),
    Bun.sleep((seconds + endSeconds) * 1_000),
  ]);
  console.log(JSON.stringify(damage ?? {}));
  process.exit(0);
}
