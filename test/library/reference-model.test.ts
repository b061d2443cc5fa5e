// The short form of a proof: a few random sequences of requests, the same each time and new ones, against the reference model.
import "../support/every-time.ts";
import { expect, test } from "bun:test";
import { playSequences } from "../../prove/model/behavior.ts";
import { leftOut, operationNames } from "../../prove/model/model.ts";
import { operations } from "../../src/contract/operations.ts";
import { engine } from "../support/engine.ts";

const isSqlite = engine.name === "sqlite";
const freshSeed = Math.floor(Math.random() * 2 ** 31);

test("the reference model has every operation, except three on files", () => {
  expect([...operationNames, ...leftOut].sort()).toEqual(Object.keys(operations).sort());
});

// On PostgreSQL, where each request takes four times as long, the new ones only.
test.each(isSqlite ? [7, freshSeed] : [freshSeed])(
  "every response is the one of the reference model, seed %d",
  async (seed) => {
    const made = { runs: 0, inputs: 0 };
    await playSequences(
      { engine: engine.name, form: "short", seed, made, isOver: () => false, show: () => undefined },
      4,
    );
    expect(made.inputs).toBeGreaterThan(0);
  },
);
