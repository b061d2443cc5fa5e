// The short forms of long proofs (docs/how/proofs.md), each with a seed that is printed if it fails.
import "../support/every-time.ts";
import { expect, test } from "bun:test";
import { prove as proveClock } from "../../prove/clock.ts";
import { prove as proveDescription } from "../../prove/description.ts";
import { prove as proveIsolation } from "../../prove/isolation.ts";
import type { Prove } from "../../prove/proof.ts";
import { prove as proveRateLimit } from "../../prove/rate-limit.ts";
import { engine } from "../support/engine.ts";

const isSqlite = engine.name === "sqlite";
const fresh = Date.now() % 1_000_000_000;
const fixed = 5;
/** On PostgreSQL, where each request takes several times as long, new choices only. */
const seeds = isSqlite ? [fixed, fresh] : [fresh];

const short = async (prove: Prove, seed: number, inputsMin: number): Promise<void> => {
  const made = { runs: 0, inputs: 0 };
  await prove({ engine: engine.name, form: "short", seed, made, isOver: () => false, show: () => undefined });
  expect(made.inputs).toBeGreaterThanOrEqual(inputsMin);
};

test.each(seeds)(
  "what others do leaves no trace in the responses to a key (seed %d)",
  (seed) => short(proveIsolation, seed, 480),
  180_000,
);

test.each(seeds)(
  "the rate limit admits what a model admits, and Retry-After is exact (seed %d)",
  (seed) => short(proveRateLimit, seed, 20_000),
  180_000,
);

test.skipIf(!isSqlite)(
  `what the description allows is accepted, what it forbids is refused, and responses fit it (seed ${fixed})`,
  () => short(proveDescription, fixed, 750),
  120_000,
);

test.skipIf(!isSqlite).each([fixed, fresh])(
  "clocks that step change no charge and open no window (seed %d)",
  (seed) => short(proveClock, seed, 2_500),
  180_000,
);
