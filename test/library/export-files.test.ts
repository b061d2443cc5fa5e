// Exports that cannot be completed: nothing stays behind, the next export goes on, and nobody takes half a file for a whole one.
import "../support/once.ts";
import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { relative, resolve } from "node:path";
import { ExportFiles, exportLimits } from "../../src/library/export/export-files.ts";
import { databaseEnvironment } from "../../src/platform/worker-process.ts";
import { databaseConfig } from "../support/engine.ts";
import { startService, temporaryDirectory, text } from "../support/service.ts";

test("an export that fails on the way breaks off and is reported, one without room on the disk is refused, and both leave nothing", async () => {
  const { client, team, workspace, dataDirectory: ofService } = await startService();
  const snippets = Array.from({ length: 3 }, () => ({ title: "A", teamId: team.id, content: text("B") }));
  await client.postSnippets({ snippets });
  const { database: location } = await databaseConfig(ofService);
  // The process runs in another directory.
  const database =
    location.engine === "sqlite" ? { ...location, path: relative(process.cwd(), location.path) } : location;
  const dataDirectory = temporaryDirectory();
  const reports: unknown[] = [];
  const filesWith = (changes: Partial<typeof exportLimits>) =>
    new ExportFiles({ database, dataDirectory }, (cause) => reports.push(cause), { ...exportLimits, ...changes });
  const owner = { workspace: workspace.id, key: "k" };
  const task = { workspaceId: workspace.id, teamId: team.id, format: "commonplace" } as const;

  await expect(filesWith({ freeBytesMin: Number.MAX_SAFE_INTEGER }).begin(owner, task)).rejects.toMatchObject({
    ...{ status: 503, code: "disk_full", details: { retryAfterSeconds: 60 } },
  });
  // Enough for the first lines of the process, and not for the last one.
  const files = filesWith({ outputBytesMax: 150 });
  const broken = await files.begin(owner, task);
  expect([broken.name, broken.texts]).toEqual(["commonplace.zip", 3]);
  const received: Uint8Array[] = [];
  const receive = async () => {
    for await (const piece of broken.pieces()) received.push(piece);
  };
  await expect(receive()).rejects.toThrow("a worker process exceeded its limit: output");
  broken.end();
  expect(reports).toHaveLength(1);

  // One process of a workspace at a time: the first has given its place back.
  const dropped = await files.begin(owner, task);
  dropped.end();

  // A process that fails before it has said anything gives its place back too.
  const missing = { engine: "sqlite", path: `${dataDirectory}/missing.db` } as const;
  const failing = new ExportFiles({ database: missing, dataDirectory }, (cause) => reports.push(cause));
  for (let time = 0; time < 2; time += 1)
    await expect(failing.begin(owner, task)).rejects.toThrow("unable to open database file");
  expect([reports.length, readdirSync(dataDirectory)]).toEqual([1, []]);
});

test("the process, which runs in another directory, finds the files that the environment names by relative paths", () => {
  const paths = {
    ...{ PGSSLROOTCERT: "root.pem", PGSSLCERT: "a/cert.pem", PGSSLKEY: "key.pem", PGSSLCRL: "crl.pem" },
    ...{ PGPASSFILE: "pass", SSL_CERT_DIR: "certs", NODE_EXTRA_CA_CERTS: "/etc/ca.pem" },
  };
  const others = { PGHOST: "db", PGUSER: "x", PGSSLMODE: "verify-full" };
  expect(databaseEnvironment({ ...paths, ...others, HOME: "/root" })).toEqual({
    ...Object.fromEntries(Object.entries(paths).map(([name, path]) => [name, resolve(path)])),
    ...others,
  });
  expect(databaseEnvironment({ PGSSLROOTCERT: "system", PGSSLKEY: "" })).toEqual({
    PGSSLROOTCERT: "system",
    PGSSLKEY: "",
  });
});
