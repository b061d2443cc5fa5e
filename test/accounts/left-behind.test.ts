// What an account leaves behind, in each act that stops it or takes rights from it: one test for each cell of the table in docs/how/security.md.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { someOnPostgres } from "../support/engine.ts";
import { type Act, acts, carryOut, leftBehind, makeWorld, type Probe } from "../support/left-behind.ts";
import { root } from "../support/program.ts";

const outcomes = ["stays", "reduced", "paused", "ends", "stays, listed"] as const;
type Outcome = (typeof outcomes)[number];

//                                         disabled         signed out       operator revoked  removed          role lowered  deleted
const table: Readonly<Record<string, readonly Outcome[]>> = {
  Sessions: /*                          */ ["ends", "ends", "reduced", "reduced", "reduced", "ends"],
  "Live updates of open pages": /*      */ ["ends", "ends", "stays", "reduced", "reduced", "ends"],
  "Downloads in progress": /*           */ ["ends", "ends", "reduced", "reduced", "reduced", "ends"],
  "Access tokens": /*                   */ ["ends", "ends", "stays", "reduced", "reduced", "ends"],
  "Invitations that they sent": /*      */ ["ends", "ends", "reduced", "reduced", "reduced", "ends"],
  "Invitations that they received": /*  */ ["paused", "stays", "stays", "reduced", "stays", "ends"],
  "API keys that they created or rotated": [
    "stays, listed",
    "stays, listed",
    "stays",
    "stays, listed",
    "stays",
    "stays, listed",
  ],
  "Webhooks that they set": /*          */ ["stays", "stays", "stays", "stays", "stays", "stays"],
  "Alerts that are emailed to them": /* */ ["paused", "stays", "stays", "reduced", "stays", "ends"],
  "Links to set a password": /*         */ ["ends", "ends", "stays", "stays", "stays", "ends"],
  Password: /*                          */ ["paused", "stays", "stays", "stays", "stays", "ends"],
  "Authenticator app and recovery codes": ["paused", "stays", "stays", "stays", "stays", "ends"],
  Passkeys: /*                          */ ["paused", "stays", "stays", "stays", "stays", "ends"],
};

const cells = Object.entries(table).flatMap(([thing, row]) =>
  row.map((expected, index) => ({ thing, act: acts[index] ?? "disabled", expected })),
);

/** Whether it works, and whether it works beyond the rights that are left. */
const look = async ({ works, worksBeyond }: Probe) => ({ works: await works(), beyond: await worksBeyond?.() });

/** What works after an act, by what is expected of it. */
const shown: Readonly<Record<Outcome, { readonly works: boolean; readonly beyond: boolean }>> = {
  stays: { works: true, beyond: true },
  "stays, listed": { works: true, beyond: true },
  reduced: { works: true, beyond: false },
  paused: { works: false, beyond: false },
  ends: { works: false, beyond: false },
};

/** Things that can be used only once, or are read only once: they are not tried before the act. */
const usedOnce = new Set(["Links to set a password", "Downloads in progress"]);

for (const { thing, act, expected } of someOnPostgres(cells))
  test(`${thing}, ${act}: ${expected}`, async () => {
    const world = await makeWorld(act);
    const probe = await leftBehind[thing]?.(world, act);
    if (!probe) throw new Error(`nothing tries ${thing}`);
    const hasBeyond = probe.worksBeyond !== undefined;
    const inShape = ({ works, beyond }: { works: boolean; beyond: boolean }) => ({
      works,
      beyond: hasBeyond ? beyond : undefined,
    });
    if (!usedOnce.has(thing)) expect(await look(probe)).toEqual(inShape({ works: true, beyond: true }));
    const answer = await carryOut(act, world, probe.browser);
    expect(answer.status).toBe(200);
    expect(await look(probe)).toEqual(inShape(shown[expected]));
    if (probe.isListed) expect(await probe.isListed(answer)).toBe(expected === "stays, listed");
    if (act !== "disabled") return;
    const query = { personId: world.person.id };
    expect((await world.operator.call("postInstancePersonActivation", { query })).status).toBe(200);
    expect((await look(probe)).works).toBe(expected !== "ends");
  }, 60_000);

const titles: Readonly<Record<Act, string>> = {
  disabled: "account disabled",
  "signed out": "signed out everywhere",
  "operator rights revoked": "operator rights revoked",
  removed: "removed from a workspace",
  "role lowered": "role lowered",
  deleted: "account deleted",
};

test("the table in the documentation says the same", () => {
  const text = readFileSync(join(root, "docs/how/security.md"), "utf8");
  const lines = [
    `| what is left behind | ${acts.map((act) => titles[act]).join(" | ")} |`,
    `|---|${acts.map(() => "---|").join("")}`,
    ...Object.entries(table).map(([thing, row]) => `| ${thing} | ${row.join(" | ")} |`),
  ];
  expect(lines.filter((line) => !text.includes(`${line}\n`))).toEqual([]);
  expect(Object.keys(leftBehind)).toEqual(Object.keys(table));
});
