// The proofs: docs/how/proofs.md lists what prove/promises.ts proves, each control fits the source, and a planted fault changes the program.
import "./support/once.ts";
import { describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { killAt, killPoints } from "../prove/kill-points.ts";
import { environmentOf, type Fault, faultyText, plant } from "../prove/planted-fault.ts";
import { promises } from "../prove/promises.ts";
import { controlsOf } from "../prove/proof.ts";
import { temporaryRoot } from "./support/temporary-root.ts";

const root = join(import.meta.dir, "..");
const page = readFileSync(join(root, "docs/how/proofs.md"), "utf8");
const listed = [...page.matchAll(/^\| (P\d+) \| (.+?) \| (.+?) \| (.+?) \|$/gm)].map(
  ([, id = "", sentence = "", longForm = "", tests = ""]) => ({ id, sentence, longForm, tests }),
);

describe("docs/how/proofs.md", () => {
  test("lists every promise with its sentence, and says which have a long form", () => {
    const withLongForm = listed.filter(({ longForm }) => longForm !== "–");
    const sentences = (all: readonly { id: string; sentence: string }[]) =>
      Object.fromEntries(all.map(({ id, sentence }) => [id, sentence]));
    expect(sentences(withLongForm)).toEqual(sentences(promises));
    expect(listed.filter(({ tests }) => !tests.includes(".test.ts"))).toEqual([]);
  });

  test("has a section for each long form: how it is proved, its control, and what is not proved", () => {
    for (const { id } of promises) {
      const section = new RegExp(`^## ${id}\\b[^]*?(?=^## |$(?![^]))`, "m").exec(page)?.[0] ?? "";
      for (const part of ["How", "Control", "Not proved"]) expect(`${id}: ${section}`).toContain(`**${part}.**`);
    }
  });
});

describe("a planted fault", () => {
  test("of each proof fits the source", () => {
    for (const promise of promises)
      for (const { faults = [], environment } of promise.engines.flatMap((engine) => controlsOf(promise, engine))) {
        expect(faults.length + Object.keys(environment ?? {}).length).toBeGreaterThan(0);
        for (const { file } of faults)
          expect(faultyText(file, faults)).not.toBe(readFileSync(join(root, file), "utf8"));
      }
  });

  test("of each line at which a service is killed fits the source", () => {
    for (const point of killPoints) expect(faultyText(point.file, [killAt(point)])).toContain("SIGKILL");
  });

  test("that is not in the file exactly once is refused", () => {
    const fault = { file: "a.ts", find: "x + 1", replace: "x" };
    expect(plant("f(x + 1)", fault)).toBe("f(x)");
    for (const text of ["f(x)", "x + 1; x + 1"]) expect(() => plant(text, fault)).toThrow("does not fit: a.ts");
  });

  test("is in the process and in those that it starts; one that does not fit ends them", () => {
    const directory = mkdtempSync(join(temporaryRoot(), "commonplace-test-"));
    const path = join(directory, "program.ts");
    writeFileSync(
      path,
      `const { limits } = await import(${JSON.stringify(join(root, "src/contract/limits.ts"))});
       console.log(limits.titleLengthMax);
       if (process.argv[2]) console.log(Bun.spawnSync([process.execPath, import.meta.path]).stdout.toString());`,
    );
    const run = (fault: Fault) =>
      Bun.spawnSync([process.execPath, path, "again"], { env: { ...process.env, ...environmentOf([fault]) } });
    const planted = run({ file: "src/contract/limits.ts", find: "titleLengthMax: 200", replace: "titleLengthMax: 1" });
    expect(planted.stdout.toString().match(/\d+/g)).toEqual(["1", "1"]);
    const unfit = run({ file: "src/contract/limits.ts", find: "titleLengthMax: 2000", replace: "" });
    expect(unfit.stderr.toString()).toContain("the planted fault does not fit");
    expect(unfit.exitCode).not.toBe(0);
    rmSync(directory, { recursive: true });
  });
});
