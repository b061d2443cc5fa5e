// The nightly export of the cookbook, with Git, curl, and unzip as a server has them.
import "../support/once.ts";
import { expect, setDefaultTimeout, test } from "bun:test";
import { copyFileSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openRecipe, startBusyService } from "../support/cookbook.ts";
import { root } from "../support/program.ts";
import { setAllowance } from "../support/quota.ts";
import { type Started, startService, temporaryDirectory, text } from "../support/service.ts";

setDefaultTimeout(60_000);

const missing = ["git", "curl", "unzip", "flock"].filter((name) => !Bun.which(name));
if (missing.length > 0) console.warn(`Tests are skipped: ${missing.join(", ")} missing`);
const onServers = test.skipIf(missing.length > 0);

async function open(started: Started) {
  const recipe = await openRecipe(started, "/bin/sh", "export-to-git.sh");
  const repository = temporaryDirectory();
  const git = (...words: string[]) => {
    const { stdout, stderr, success } = Bun.spawnSync(["git", "-C", repository, ...words]);
    if (!success) throw new Error(String(stderr));
    return String(stdout);
  };
  git("init", "--quiet");
  const subjects = () => git("log", "--format=%an: %s").trim().split("\n");
  return { ...recipe, repository, git, subjects };
}

onServers("commits the files of a team, and nothing while nothing changes", async () => {
  const started = await startService();
  const { id } = await started.given.snippet({ title: "Refund", shortcut: "/refund", content: text("Hello") });
  const { run, repository, git, subjects } = await open(started);
  expect(await run([repository])).toMatchObject({ status: 0, stderr: "" });
  expect(git("ls-files").trim().split("\n")).toEqual(["snippets/.gitkeep", "snippets/Refund.md"]);
  expect(git("show", "HEAD:snippets/Refund.md")).toBe(
    "---\ntitle: Refund\nshortcut: /refund\ncontent-type: plaintext\n---\n\nHello\n",
  );
  expect(await run([repository])).toMatchObject({ status: 0, stdout: "Nothing has changed\n" });
  expect(subjects()).toEqual(["Commonplace: Export snippets"]);
  await started.client.putSnippet({ id, title: "Refund sent" });
  await started.given.snippet({ title: "Late" });
  writeFileSync(join(repository, "README"), "Staged by somebody");
  git("add", "README");
  expect((await run([repository])).status).toBe(0);
  expect(git("show", "--name-status", "--format=", "--no-renames", "HEAD").trim().split("\n")).toEqual([
    "A\tsnippets/Late.md",
    "A\tsnippets/Refund sent.md",
    "D\tsnippets/Refund.md",
  ]);
  expect(git("diff", "--cached", "--name-only").trim()).toBe("README");
});

onServers("waits as long as the service asks", async () => {
  const started = await startService();
  await started.given.snippet({ title: "Refund" });
  const { run, repository, subjects } = await open(started);
  const service = startBusyService(started);
  expect((await run([repository], { environment: { CPL_URL: service.url } })).status).toBe(0);
  expect(service.received).toHaveLength(2);
  expect(subjects()).toHaveLength(1);
});

onServers("changes nothing and prints the response if the service refuses", async () => {
  const started = await startService();
  await started.given.snippet({ title: "Refund" });
  const { run, repository, subjects } = await open(started);
  expect((await run([repository])).status).toBe(0);
  await setAllowance(started, 0);
  const { status, stderr } = await run([repository]);
  expect(status).toBe(1);
  expect(stderr).toContain('"error":"quota_exceeded"');
  expect(stderr).not.toContain(started.limitedKey.secret);
  expect(subjects()).toHaveLength(1);
  expect(existsSync(join(repository, "snippets/Refund.md"))).toBe(true);
});

onServers("commits that the last snippet is gone", async () => {
  const started = await startService();
  const { id } = await started.given.snippet({ title: "Refund" });
  const { run, repository, git } = await open(started);
  await run([repository]);
  await started.client.deleteSnippet({ id });
  expect((await run([repository])).status).toBe(0);
  expect(git("ls-files").trim()).toBe("snippets/.gitkeep");
});

onServers("pushes to the upstream of the repository", async () => {
  const started = await startService();
  await started.given.snippet({ title: "Refund" });
  const { run, repository, git } = await open(started);
  const upstream = temporaryDirectory();
  Bun.spawnSync(["git", "init", "--quiet", "--bare", upstream]);
  await run([repository]);
  git("remote", "add", "origin", upstream);
  git("push", "--quiet", "--set-upstream", "origin", "HEAD");
  await started.given.snippet({ title: "Late" });
  expect((await run([repository])).status).toBe(0);
  expect(
    String(Bun.spawnSync(["git", "-C", upstream, "log", "--all", "--format=%s"]).stdout)
      .trim()
      .split("\n"),
  ).toHaveLength(2);
});

test.skipIf(!Bun.which("systemd-analyze"))("systemd accepts the units", () => {
  const directory = temporaryDirectory();
  for (const name of ["export-to-git.service", "export-to-git.timer"])
    copyFileSync(join(root, "cookbook", name), join(directory, name));
  const verify = (name: string) =>
    String(Bun.spawnSync(["systemd-analyze", "verify", join(directory, name)], { stderr: "pipe" }).stderr)
      .split("\n")
      .filter((line) => line.includes("export-to-git") && !line.includes("is not executable"));
  expect([...verify("export-to-git.service"), ...verify("export-to-git.timer")]).toEqual([]);
});
