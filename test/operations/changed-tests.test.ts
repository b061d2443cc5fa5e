// `npm test -- --changed`: which test files a change can affect.
import { describe, expect, test } from "bun:test";
import { chooseAffected } from "../../scripts/changed-tests.ts";
import { testFiles } from "../../scripts/test-plan.ts";
import "../support/once.ts";

/** This file names many that it does not depend on. */
const others = testFiles().filter((path) => !path.endsWith("/changed-tests.test.ts"));
const affectedBy = (...changed: string[]) => chooseAffected(changed, others, "a revision").files;

describe("a change affects", () => {
  test("a test file that changed itself, alone", () => {
    expect(affectedBy("test/library/tags.test.ts")).toEqual(["test/library/tags.test.ts"]);
  });

  test("the tests that import what changed", () => {
    expect(affectedBy("test/support/groups.ts")).toEqual([
      "test/library/folders.test.ts",
      "test/library/groups-batches.test.ts",
      "test/library/groups.test.ts",
    ]);
  });

  test("through other files, however many are between", () => {
    const affected = affectedBy("src/library/folders.ts");
    expect(affected).toContain("test/library/folders.test.ts");
    expect(affected).toContain("test/console/roles.test.ts");
    expect(affected).not.toContain("test/platform/keyed-semaphore.test.ts");
  });

  test("the tests that read the file, or run it as a program", () => {
    expect(affectedBy("deploy/nginx.conf")).toContain("test/operations/deploy.test.ts");
    expect(affectedBy("README.md")).toContain("test/operations/readme.test.ts");
    expect(affectedBy("test/support/postgres-supervisor.ts")).toContain("test/library/tags.test.ts");
    expect(affectedBy("src/operations/commands/key.ts")).toContain("test/operations/commands.test.ts");
  });

  test("the tests of its own module, also where the service loads it on demand", () => {
    expect(affectedBy("web/main.tsx")).toContain("test/web/page.test.ts");
    expect(affectedBy("src/operations/metrics/metrics.ts")).toContain("test/operations/metrics.test.ts");
    expect(affectedBy("web/main.tsx")).not.toContain("test/library/tags.test.ts");
  });

  test("everything, where it can affect every test", () => {
    for (const path of ["package.json", "bunfig.toml", "scripts/verify.ts", "test/support/cleanup.ts"])
      expect([path, affectedBy(path)]).toEqual([path, undefined]);
  });

  test("nothing, where no test knows it", () => {
    expect(affectedBy("bench/wrk.lua")).toEqual([]);
    expect(affectedBy()).toEqual([]);
  });
});

test("the reason names what changed", () => {
  expect(chooseAffected(["a.md", "b.md", "c.md", "d.md"], [], "main").reason).toBe(
    "0 of 0 test files, because a.md, b.md, c.md and 1 more changed since main",
  );
  expect(chooseAffected(["package.json"], [], "main").reason).toBe(
    "All test files, because package.json changed since main",
  );
});
