// Encrypted backups: who can open them, that no text is written in the clear beside them, and what is refused.
import { beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Decrypter, Encrypter, generateIdentity, identityToRecipient } from "age-encryption";
import { backupJob } from "../../src/operations/backup/schedule.ts";
import { startJobs } from "../../src/platform/jobs.ts";
import { makeLargeDatabase, namesIn } from "../support/backup.ts";
import { examine, findingOf } from "../support/doctor.ts";
import { engine } from "../support/engine.ts";
import { expectFailure, run, runJson } from "../support/program.ts";
import { temporaryDirectory } from "../support/service.ts";

const sqliteMagic = "SQLite format 3";
const canary = "Made for a test";

describe.skipIf(engine.name !== "sqlite")("an encrypted backup", () => {
  const directory = temporaryDirectory();
  const file = (name: string, content: string | Uint8Array) => {
    const path = join(directory, name);
    writeFileSync(path, content);
    return path;
  };
  const recipients: string[] = [];
  let live = "";
  let encrypted = "";
  let bytes: Buffer;
  const keys = { first: "", second: "", foreign: "", passphrase: "", wrong: "" };

  beforeAll(async () => {
    live = (await makeLargeDatabase(3)).dataDirectory;
    for (const name of ["first", "second", "foreign"] as const) {
      const identity = await generateIdentity();
      recipients.push(await identityToRecipient(identity));
      keys[name] = file(
        `${name}.txt`,
        `# created: 2026-03-15T12:00:00Z\n# public key: ${recipients.at(-1)}\n${identity}\n`,
      );
    }
    keys.passphrase = file("passphrase", "correct horse battery\n");
    keys.wrong = file("wrong", "another horse battery\n");
    encrypted = join(directory, "backup.db.age");
    const to = ["--to", encrypted, "--recipient", recipients[0] ?? "", recipients[1] ?? ""];
    const made = await runJson(["backup", ...to, "--data", live]);
    bytes = readFileSync(encrypted);
    const sha256 = new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
    expect(made).toMatchObject({
      encryption: "recipients",
      bytes: bytes.length,
      sha256,
      rows: { snippets: expect.any(Number) },
    });
  });

  const restored = async (from: string, ...options: string[]) => {
    const data = join(temporaryDirectory(), "data");
    const result = await runJson(["restore", "--from", from, ...options, "--data", data]);
    expect(namesIn(data)).toEqual(["commonplace.db"]);
    return { data, result };
  };

  test("an encrypted backup can be opened with each recipient's key, and contains nothing unencrypted", async () => {
    const decrypter = new Decrypter();
    decrypter.addIdentity(readFileSync(keys.first, "utf8").split("\n")[2] ?? "");
    const plain = Buffer.from(await decrypter.decrypt(bytes));
    expect([plain.includes(sqliteMagic), plain.includes(canary)]).toEqual([true, true]);
    expect([bytes.includes(sqliteMagic), bytes.includes(canary)]).toEqual([false, false]);
    for (const key of [keys.first, keys.second]) {
      const { data, result } = await restored(encrypted, "--identity", key);
      expect(result.sha256).toBe(new Bun.CryptoHasher("sha256").update(bytes).digest("hex"));
      expect(readFileSync(join(data, "commonplace.db")).includes(canary)).toBe(true);
    }
    expect(namesIn(directory).filter((name) => name.startsWith("."))).toEqual([]);
    expect(namesIn(live).filter((name) => name.startsWith("."))).toEqual([]);
  });

  test("can be verified without restoring it, which leaves nothing behind", async () => {
    const parent = temporaryDirectory();
    const words = ["backup", "verify", "--from", encrypted, "--identity", keys.second, "--data", join(parent, "data")];
    expect(await runJson(words)).toMatchObject({ path: encrypted, is_encrypted: true, bytes: bytes.length });
    expect(namesIn(parent)).toEqual([]);
    const plain = join(directory, "plain.db");
    await runJson(["backup", "--to", plain, "--data", live]);
    const { status, stdout } = await run(["backup", "verify", "--from", plain, "--data", live]);
    expect([status, stdout.split("\n").at(-2)]).toEqual([0, "The backup is complete, undamaged, and not encrypted."]);
  });

  test("a backup is encrypted with the passphrase in the setting", async () => {
    const path = join(directory, "passphrase.db.age");
    const made = await runJson(["backup", "--to", path, "--data", live], {
      COMMONPLACE_BACKUP_PASSPHRASE_FILE: keys.passphrase,
    });
    expect(made.encryption).toBe("passphrase");
    expect(readFileSync(path).includes(canary)).toBe(false);
    await restored(path, "--passphrase-file", keys.passphrase);
    // Encrypted at a lower cost than the program's, because each attempt at that one takes seconds.
    const encrypter = new Encrypter();
    encrypter.setPassphrase("correct horse battery");
    encrypter.setScryptWorkFactor(10);
    const cheap = file("cheap.db.age", await encrypter.encrypt("anything"));
    const words = ["restore", "--from", cheap, "--passphrase-file", keys.wrong];
    expectFailure(
      await run([...words, "--data", join(temporaryDirectory(), "x")]),
      1,
      `${cheap} cannot be decrypted with the passphrase in ${keys.wrong}`,
    );
  });

  const flipped = (at: number): Buffer => {
    const copy = Buffer.from(bytes);
    copy[at] = (copy[at] ?? 0) ^ 1;
    return copy;
  };
  const header = () => bytes.indexOf("\n--- ");
  const notFully = "is damaged or incomplete: it cannot be fully decrypted";
  const atAll = "is damaged or incomplete: it cannot be decrypted";
  const chunkBytes = 64 * 1024 + 16;
  const payload = () => bytes.indexOf("\n", header() + 1) + 1 + 16;
  const cases: Record<string, [() => Uint8Array, keyof typeof keys, string]> = {
    "encrypted for others": [() => bytes, "foreign", "cannot be decrypted with the keys in "],
    "cut off in the middle": [() => bytes.subarray(0, bytes.length / 2), "first", notFully],
    "cut off between two portions": [() => bytes.subarray(0, payload() + 3 * chunkBytes), "first", notFully],
    "without its last byte": [() => bytes.subarray(0, -1), "first", notFully],
    "cut off in its header": [() => bytes.subarray(0, header() - 5), "first", atAll],
    "with a bit flipped in its header": [() => flipped(header() + 8), "first", atAll],
    "with a bit flipped in its first portion": [() => flipped(payload() + 5), "first", notFully],
    "with a bit flipped in the middle": [() => flipped(bytes.length >> 1), "first", notFully],
    "with a bit flipped at its end": [() => flipped(bytes.length - 3), "first", notFully],
    "with something appended": [() => Buffer.concat([bytes, Buffer.alloc(40)]), "first", notFully],
    "of another program": [() => foreignFile, "first", "is not a Commonplace backup"],
  };
  let foreignFile: Uint8Array;
  beforeAll(async () => {
    const { Encrypter } = await import("age-encryption");
    const encrypter = new Encrypter();
    encrypter.addRecipient(recipients[0] ?? "");
    foreignFile = await encrypter.encrypt("Not a database".repeat(100));
  });

  test.each(Object.keys(cases))(
    "%s: the backup is refused with a one-line message, and nothing is left behind",
    async (name) => {
      const [make, key, complaint] = cases[name] ?? [() => bytes, "first", ""];
      const from = file("damaged.db.age", make());
      const parent = temporaryDirectory();
      const words = ["restore", "--from", from, "--identity", keys[key], "--data", join(parent, "new/data")];
      const ending = complaint.endsWith(" ") ? keys[key] : "";
      expectFailure(await run(words), 1, `${from} ${complaint}${ending}`);
      expect(namesIn(parent)).toEqual([]);
    },
  );

  test("a key that is missing, not needed, or no key is refused", async () => {
    const restore = (from: string, ...options: string[]) =>
      run(["restore", "--from", from, ...options, "--data", join(temporaryDirectory(), "x")]);
    expectFailure(
      await restore(encrypted),
      1,
      `${encrypted} is encrypted. Use --identity FILE or --passphrase-file FILE`,
    );
    const plain = join(directory, "plain2.db");
    await runJson(["backup", "--to", plain, "--data", live]);
    const notNeeded = `${plain} is not encrypted. Omit --identity and --passphrase-file`;
    expectFailure(await restore(plain, "--identity", keys.first), 1, notNeeded);
    const noKey = file("no-key", "AGE-SECRET-KEY-1SECRETSECRET\n");
    const outcome = await restore(encrypted, "--identity", noKey);
    expectFailure(outcome, 1, `${noKey} has a line that is neither an age private key nor a comment`);
    const short = file("short", "too short\n");
    const make = ["backup", "--to", join(directory, "never"), "--passphrase-file", short, "--data", live];
    expectFailure(await run(make), 1, `${short} must contain one line of at least 16 characters`);
    const mistyped = (recipients[0] ?? "").replace(/.$/, (last) => (last === "q" ? "p" : "q"));
    const typo = await run(["backup", "--to", join(directory, "never"), "--recipient", mistyped, "--data", live]);
    expect([typo.status, typo.stderr]).toEqual([2, expect.stringContaining("--recipient must be an age public key")]);
    expect(namesIn(directory)).not.toContain("never");
  });

  test("by schedule: encrypted ones count among those that are kept, and the doctor says how they are encrypted", async () => {
    const backups = join(temporaryDirectory(), "backups");
    mkdirSync(backups);
    writeFileSync(join(backups, "commonplace-20260314T120000Z.db"), "older");
    const settings = { directory: backups, everyHours: 24, keep: 1 };
    const told: unknown[] = [];
    const encryption = { kind: "recipients", recipients: [recipients[0] ?? ""] } as const;
    const clock = () => Date.parse("2026-03-15T12:00:00.000Z");
    const job = backupJob({ settings, encryption, databasePath: join(live, "commonplace.db"), clock });
    const ran = Promise.withResolvers<void>();
    const stop = startJobs([job], {
      log: {
        write: (...line) => {
          told.push(line);
          ran.resolve();
        },
        flush: () => {},
      },
      wait: (_, signal) => new Promise((resolve) => signal.addEventListener("abort", () => resolve())),
    });
    await ran.promise;
    await stop();
    expect(told).toMatchObject([["info", "job finished", { job: "backups", removed: 1 }]]);
    expect(namesIn(backups)).toEqual(["commonplace-20260315T120000Z.db.age"]);
    expect(readFileSync(join(backups, "commonplace-20260315T120000Z.db.age")).includes(canary)).toBe(false);
    const messageOf = async (more: Record<string, string>) => findingOf(await examine(live, more), "backups")?.message;
    expect(await messageOf({})).toEndWith("scheduled every 24 h and are not encrypted");
    const two = { COMMONPLACE_BACKUP_RECIPIENTS: recipients.slice(0, 2).join(",") };
    expect(await messageOf(two)).toEndWith("scheduled every 24 h and are encrypted for 2 public keys");
    const missing = { COMMONPLACE_BACKUP_PASSPHRASE_FILE: join(directory, "missing") };
    expect(await messageOf(missing)).toBe(
      `the check failed: the file ${missing.COMMONPLACE_BACKUP_PASSPHRASE_FILE} cannot be read`,
    );
  });
});
