// The table of commands. Parsing, dispatch, help, completion, and docs/use/cpl-commands.md are derived from it.
import type { Command } from "./command.ts";
import { completion } from "./commands/completion.ts";
import { create } from "./commands/create.ts";
import { deleteCommand } from "./commands/delete.ts";
import { editCommand } from "./commands/edit.ts";
import { folderCommands } from "./commands/folder.ts";
import { copy, get } from "./commands/get.ts";
import { diff, history, revert } from "./commands/history.ts";
import { importFile, listImports, undoImport } from "./commands/import.ts";
import { list, search } from "./commands/list.ts";
import { login, logout } from "./commands/login.ts";
import { mcp } from "./commands/mcp.ts";
import { move } from "./commands/move.ts";
import { quota } from "./commands/quota.ts";
import { rename } from "./commands/rename.ts";
import { sync } from "./commands/sync.ts";
import { tag } from "./commands/tag.ts";
import { exportTeam } from "./commands/transfer.ts";
import { tree } from "./commands/tree.ts";

export const commands: readonly Command[] = [
  login,
  get,
  copy,
  search,
  list,
  tree,
  create,
  editCommand,
  rename,
  move,
  tag,
  history,
  diff,
  revert,
  deleteCommand,
  ...folderCommands,
  importFile,
  listImports,
  undoImport,
  exportTeam,
  sync,
  quota,
  mcp,
  completion(() => commands),
  logout,
];
