// The files with the secrets of a start that nobody watches: only their owner reads them, and what cannot be written is never printed instead.
import "../support/once.ts";
import { expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { removeSecretFile, writeSecretFile } from "../../src/operations/secret-files.ts";
import { runJson, serve } from "../support/program.ts";
import { temporaryDirectory } from "../support/service.ts";

test("a file replaces an earlier one, whatever mode that had, and leaves nothing next to it", () => {
  const directory = join(temporaryDirectory(), "new");
  const { path, failure } = writeSecretFile(directory, "link", ["one"]);
  expect({ path, failure }).toEqual({ path: join(directory, "setup-link.txt"), failure: undefined });
  chmodSync(path, 0o644);
  writeSecretFile(directory, "link", ["two", "three"]);
  expect(readFileSync(path, "utf8")).toBe("two\nthree\n");
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(directory)).toEqual(["setup-link.txt"]);
  removeSecretFile(directory, "link");
  removeSecretFile(directory, "link");
  expect(existsSync(path)).toBeFalse();
});

test("where a file cannot be written, the reason is known", () => {
  const file = join(temporaryDirectory(), "file");
  writeFileSync(file, "");
  expect(writeSecretFile(join(file, "below"), "key", ["secret"]).failure).toContain("ENOTDIR");
});

test("a start that cannot write its files says so, with the commands that help, and prints no secret", async () => {
  const data = temporaryDirectory();
  // Neither can be replaced by a file.
  for (const name of ["first-api-key.txt", "setup-link.txt"]) mkdirSync(join(data, name));
  await using program = await serve({ COMMONPLACE_DATA_DIRECTORY: data, COMMONPLACE_LOG_FORMAT: "text" });
  expect(program.announcement).toContain("The setup link could not be saved: ");
  expect(program.announcement).toContain("./commonplace setup-link");
  expect(program.announcement).toContain("The first API key could not be saved: ");
  const [command = ""] = program.announcement.match(/key rotate .*$/m) ?? [];
  // No key stays active whose secret nobody knows.
  const rotated = await runJson(command.split(" "), { COMMONPLACE_DATA_DIRECTORY: data });
  expect(rotated.secret).toMatch(/^cpl_/);
  const listed = await runJson(["key", "list", "--workspace", rotated.workspace_id], {
    COMMONPLACE_DATA_DIRECTORY: data,
  });
  expect(listed).toHaveLength(1);
  expect(program.announcement).not.toMatch(/cpl_|invitation#/);
  expect(readdirSync(data).filter((name) => name.endsWith(".new"))).toEqual([]);
});
