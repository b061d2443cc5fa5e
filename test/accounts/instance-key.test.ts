// The key that signs cookies and encrypts secrets is kept outside the database, is the same on all nodes, and is never replaced by itself.
import { expect, test } from "bun:test";
import { existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { examineInstance } from "../../src/operations/doctor/doctor.ts";
import { filesIn } from "../support/canaries.ts";
import { engine } from "../support/engine.ts";
import { environment, run, serve } from "../support/program.ts";
import { temporaryDirectory } from "../support/service.ts";

test("the first startup creates a key that only its owner can read; without it, or with another one, nothing starts", async () => {
  const data = temporaryDirectory();
  const file = join(data, "instance.key");
  // The default, which the tests usually replace.
  const settings = {
    COMMONPLACE_DATA_DIRECTORY: data,
    COMMONPLACE_INSTANCE_KEY_FILE: "",
    COMMONPLACE_LOG_LEVEL: "error",
  };
  const first = await serve(settings);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const key = readFileSync(file, "utf8").trim();
  expect(key).toMatch(/^[\w-]{43}$/);
  first.kill("SIGTERM");
  await first.exited;
  const stored = { ...filesIn(data), ...(await engine.stored(data)) };
  expect(Object.keys(stored).filter((place) => stored[place]?.includes(key))).toEqual([file]);

  const doctor = async () => {
    const findings = await examineInstance(await environment(settings), () => undefined);
    return findings.find(({ check }) => check === "instance key");
  };
  expect(await doctor()).toMatchObject({ severity: "ok" });
  const away = join(temporaryDirectory(), "key");
  renameSync(file, away);
  const missing = await run(["serve"], settings);
  expect([missing.status, missing.stderr]).toEqual([
    1,
    expect.stringContaining(`the instance key is missing: there is no file ${file}`),
  ]);
  expect(existsSync(file)).toBe(false);
  expect(await doctor()).toMatchObject({ severity: "problem" });

  writeFileSync(file, `${"another-key".repeat(4)}\n`, { mode: 0o600 });
  const other = await run(["serve"], settings);
  expect([other.status, other.stderr]).toEqual([1, expect.stringContaining("belongs to another instance")]);
  expect(await doctor()).toMatchObject({ severity: "problem" });
  rmSync(file);

  // From where it was moved to, and as a setting, it is the same key.
  const moved = await serve({ ...settings, COMMONPLACE_INSTANCE_KEY_FILE: away });
  moved.kill("SIGTERM");
  await moved.exited;
  const given = await serve({ ...settings, COMMONPLACE_INSTANCE_KEY: key });
  given.kill("SIGTERM");
  await given.exited;

  // Lost for good: the operator says so, and the next start makes another one.
  expect((await run(["instance", "rekey"], settings)).stdout).toContain(
    "The database no longer needs the old instance key.",
  );
  const again = await serve(settings);
  expect(readFileSync(file, "utf8").trim()).not.toBe(key);
  again.kill("SIGTERM");
  await again.exited;
}, 120_000);
