// Files are read in processes with limits: one that exceeds a limit gets a clear line, and nobody else waits for it.
import { expect, spyOn, test } from "bun:test";
import { zipSync } from "fflate";
import { bytesPerMebibyte } from "../../src/contract/limits.ts";
import { readFiles } from "../../src/library/formats/formats.ts";
import { FormatProcesses, formatProcessLimits } from "../../src/library/import/format-processes.ts";
import { BrieflyKept } from "../../src/platform/briefly-kept.ts";
import { FairSlots } from "../../src/platform/fair-slots.ts";
import { fileOf } from "../support/tree-texts.ts";
import "../support/once.ts";

const owner = { workspace: "w", key: "k" };
const matches = Array.from({ length: 300 }, (_, index) => `  - trigger: ":é${index}"\n    replace: "text ${index}"\n`);
const yaml = fileOf("folder.yml", `matches:\n${matches.join("")}`);

test("a process reads what the service itself would read, and for the next part of an import, nothing is read again", async () => {
  const formats = new FormatProcesses();
  const read = readFiles([yaml]);
  expect(await formats.read(owner, yaml, {})).toEqual(read);
  const spawn = spyOn(Bun, "spawn").mockImplementation(() => {
    throw new Error("read again");
  });
  try {
    expect(await formats.read(owner, yaml, {})).toEqual(read);
    // Nobody else's, and nothing that would be read differently.
    for (const [each, file, request] of [
      [{ ...owner, workspace: "x" }, yaml, {}],
      [{ ...owner, key: "l" }, yaml, {}],
      [owner, { ...yaml, path: "other.yml" }, {}],
      [owner, { ...yaml, bytes: new Uint8Array([...yaml.bytes, 35]) }, {}],
      [owner, yaml, { format: "text" }],
    ] as const)
      await expect(formats.read(each, file, request)).rejects.toThrow("read again");
  } finally {
    spawn.mockRestore();
  }
});

test("what was read is kept for each workspace within a limit of bytes, the least recently used goes first, and all of it goes soon", async () => {
  const kept = new BrieflyKept<string>({ bytesMax: 10, milliseconds: 1 });
  const found = () => ["a", "b", "c"].filter((workspace) => kept.get(workspace, "1"));
  for (const workspace of ["a", "b"]) kept.set(workspace, "1", "read", 5);
  expect(kept.get("a", "2")).toBeUndefined();
  expect(kept.get("a", "1")).toBe("read");
  kept.set("c", "1", "read", 1);
  expect(found()).toEqual(["a", "c"]);
  kept.set("b", "1", "read", 11);
  expect(found()).toEqual(["a", "c"]);
  await Bun.sleep(20);
  expect(found()).toEqual([]);
  kept.set("b", "1", "read", 10);
  expect(found()).toEqual(["b"]);
});

test("a zip that needs too much memory, and a file that takes too long, are refused in a clear line, while others go on", async () => {
  const bomb = zipSync({
    "a.txt": new Uint8Array(40 * bytesPerMebibyte),
    "b.txt": new Uint8Array(40 * bytesPerMebibyte),
  });
  const small = new FormatProcesses({ ...formatProcessLimits, memoryBytesMax: 150 * bytesPerMebibyte });
  const late = new FormatProcesses({ ...formatProcessLimits, seconds: 0.01 });
  const wordy = new FormatProcesses({ ...formatProcessLimits, outputBytesMax: 1_000 });
  const refusals = await Promise.all(
    [
      small.read(owner, fileOf("a.zip", bomb), {}),
      late.read(owner, yaml, {}),
      wordy.read(owner, yaml, {}),
      new FormatProcesses().read(owner, fileOf("a.json", `[${"{".repeat(9_000)}`), {}),
    ].map((reading) => reading.then(() => "read").catch(({ name, message }: Error) => `${name}: ${message}`)),
  );
  expect(refusals).toEqual([
    "ReadError: The file takes too much memory to read. Import it in parts.",
    "ReadError: The file takes too long to read. Import it in parts.",
    "ReadError: The file contains too much text. Import it in parts.",
    "ReadError: JSON can be nested at most 100 levels deep.",
  ]);
});

test("a workspace has one file read at a time, and the next one as soon as that is done", async () => {
  const slots = new FairSlots("formats", 2, { total: 2, workspace: 1, key: 1 }, 1);
  const [one, other] = [owner, { workspace: "x", key: "y" }];
  const first = await slots.acquire(one, 1_000);
  const order: string[] = [];
  const next = slots.acquire(one, 1_000).then(() => order.push("next"));
  expect(await slots.acquire(one, 1_000)).toBe("full");
  expect(typeof (await slots.acquire(other, 1_000))).toBe("function");
  expect(order).toEqual([]);
  if (typeof first === "function") first();
  await next;
  expect(order).toEqual(["next"]);
});
