// Folders and tags end at a depth, because every change of a parent walks up to the top (decisions, Bodies).
import { expect, test } from "bun:test";
import { limits } from "../../src/contract/limits.ts";
import { refusalOf, startService } from "../support/service.ts";

test("a folder that lies 100 deep takes no others inside it", async () => {
  const { given, client, team } = await startService();
  const chain = [await given.folder()];
  while (chain.length < limits.nestingMax) chain.push(await given.folder({ parentFolderId: chain.at(-1)?.id ?? "" }));
  const deepest = chain.at(-1)?.id ?? "";
  const refused = { status: 400, message: "parentFolderId must be nested fewer than 100 levels deep" };

  const folder = { folderName: "Deeper", folderColor: "#000", teamId: team.id, parentFolderId: deepest };
  expect(await refusalOf(client.postFolder(folder))).toMatchObject(refused);
  const other = await given.folder();
  expect(await refusalOf(client.putFolder({ folderId: other.id, parentFolderId: deepest }))).toMatchObject(refused);

  const above = chain.at(-2)?.id ?? "";
  expect((await client.putFolder({ folderId: other.id, parentFolderId: above })).data.folder.parent_folder_id).toBe(
    above,
  );
});

test("a cycle of 100 folders is still seen", async () => {
  const { given, client } = await startService();
  const chain = [await given.folder()];
  while (chain.length < limits.nestingMax) chain.push(await given.folder({ parentFolderId: chain.at(-1)?.id ?? "" }));
  const cycle = client.putFolder({ folderId: chain[0]?.id ?? "", parentFolderId: chain.at(-1)?.id ?? "" });
  expect((await refusalOf(cycle)).message).toBe("parentFolderId must not be the folder itself or a folder inside it");
});
