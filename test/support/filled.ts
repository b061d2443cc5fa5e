// An instance with rows of every kind in every table, for commands that process all of it.

import { createTeam, createWorkspace } from "../../src/accounts/workspaces/workspaces.ts";
import { indexPending } from "../../src/library/search/indexing.ts";
import { createKey, deactivateKey, deleteKey, rotateKey } from "../../src/metering/keys/keys.ts";
import { foldLedger } from "../../src/metering/quota/folding.ts";
import { grantPackage } from "../../src/metering/quota/quota.ts";
import { JobRuns } from "../../src/platform/job-runs.ts";
import { fillConsole } from "./filled-console.ts";
import { startService, text } from "./service.ts";

const contentLengthMax = 1_000_000;
/** Text that JSON, SQL and terminals escape, and code points of every length in UTF-8. */
const awkward = `\\ ' " \n\r\t \u0001\u007f\u2028\u202e \\u0000 {"a": [null]}`;
const longest = `${awkward}${"aä€😀".repeat(contentLengthMax / 4)}`;

const silent = { write: () => undefined, flush: () => undefined };

/** Fills an instance by calls over several months, folds the oldest ones, and stops the service. */
export async function fillInstance(dataDirectory: string) {
  const started = await startService({ at: "2026-01-15T10:00:00.000Z", config: { dataDirectory } });
  const { admin, client, clock, given, key, service, team, otherTeam, workspace } = started;
  const folder = await given.folder({ folderName: "Ordner ä€😀 \u202e" });
  const inner = await given.folder({ parentFolderId: folder.id, folderName: "0" });
  // A parent that was created after its child.
  const late = await given.folder();
  await client.putFolder({ folderId: folder.id, parentFolderId: late.id });
  const tag = await given.tag({ tagName: "Ma\u0308rke" });
  const innerTag = await given.tag({ parentTagId: tag.id });
  const snippet = await given.snippet({
    title: "'; drop table snippets; --",
    note: "",
    shortcut: "ä",
    folderId: inner.id,
    tagIds: [tag.id, innerTag.id],
    content: text([...longest].slice(0, contentLengthMax).join("")),
    additionalVariations: [{ variationName: "Second", content: text(" ") }],
  });
  await client.putSnippet({ id: snippet.id, isArchived: true, content: text("x") });
  clock.advance(40 * 24 * 60 * 60);
  for (let call = 0; call < 10; call += 1) await client.getSnippet({ id: snippet.id });
  const plain = await given.snippet({ title: "Plain" });
  clock.advance(60 * 24 * 60 * 60);
  const varied = await given.snippetWithVariations();
  // The second variation takes the place of the first one.
  const replaced = await given.snippetWithVariations();
  await client.deleteSnippetVariation({ variationId: replaced.variations[0]?.id ?? "" });
  const trashed = await given.snippetWithVariations({ folderId: inner.id, tagIds: [tag.id, innerTag.id] });
  await client.putSnippet({ id: trashed.id, content: text("Changed") });
  await client.deleteSnippet({ id: trashed.id });
  const elsewhere = {
    folder: await given.folder({ teamId: otherTeam.id }),
    tag: await given.tag({ teamId: otherTeam.id }),
  };
  await admin(async (transaction) => {
    await grantPackage(transaction, workspace.id, "500K", crypto.randomUUID());
    const deleted = await createKey(transaction, workspace.id, "Deleted", [team.id]);
    await deactivateKey(transaction, deleted.id);
    await deleteKey(transaction, deleted.id);
    const rotated = await createKey(transaction, workspace.id, "Rotated", "all", "Ada Lovelace", {
      scope: "read",
      expiresAt: "2099-01-01T00:00:00Z",
      networks: ["2001:db8::/32"],
      monthlyBudget: 5,
      requestsPerMinute: 7,
    });
    await rotateKey(transaction, rotated.id, "7d");
    const other = await createWorkspace(transaction, "Another", 0);
    await createTeam(transaction, other.id, "Another");
    const refused = { workspace_id: workspace.id, key_id: key.id, minute: "2026-04-25T10:00:00.000Z" };
    transaction.insert("refused_requests", [
      { ...refused, reason: "rate_limit", requests: 12, client_address: "2001:db8::7" },
      { ...refused, reason: "key_inactive", requests: 1, client_address: null },
    ]);
    fillConsole(transaction, { workspaceId: workspace.id, teamId: team.id, keyId: key.id });
  });
  await foldLedger(service.database, 70);
  await indexPending({ database: service.database, pace: () => undefined, goOn: () => true }, 1);
  await client.putSnippet({ id: plain.id, note: "Changed since" });
  for (const folderName of ["Kept", awkward.repeat(15)])
    await started.call("POST", "/folder", {
      key: key.secret,
      headers: { "Idempotency-Key": crypto.randomUUID() },
      body: { folderName, folderColor: "#336699", teamId: team.id },
    });
  const jobRuns = new JobRuns(service.database, [{ name: "folding", everySeconds: 3_600 }], { log: silent }, 0);
  jobRuns.started("folding");
  await jobRuns.finished("folding", undefined);
  const balance = await started.balance();
  await service.stop();
  return {
    workspace,
    team,
    key,
    snippet,
    plain,
    varied,
    replaced,
    trashed,
    folder,
    inner,
    late,
    tag,
    innerTag,
    elsewhere,
    balance,
  };
}

export type Filled = Awaited<ReturnType<typeof fillInstance>>;
