// The menus of the tree: what can be created, and what can be done with a row.
import { IconButton } from "../../components/button.tsx";
import { Icon } from "../../components/icons.tsx";
import { Menu, type MenuItem } from "../../components/menu.tsx";
import { useLibrary } from "../library-context.tsx";
import { openTransfer } from "../transfer/open-transfer.ts";
import type { TreeRow } from "./build-tree.ts";
import { openTreeDialog } from "./open-dialog.ts";

/** What one may create, above the tree. Nothing for those who may not. */
export function TreeMenuButton() {
  const { view, folders, mayWrite } = useLibrary();
  const folder = view.folderId === undefined ? undefined : folders.get(view.folderId);
  const teamId = folder?.team_id ?? view.teamId;
  const create = (kind: "folder" | "tag") => () => openTreeDialog({ act: "create", kind, teamId });
  if (!mayWrite()) return null;
  return (
    <Menu
      label="New folder or tag"
      icon="newFolder"
      items={[
        { label: "New folder", onSelect: create("folder") },
        { label: "New tag", onSelect: create("tag") },
      ]}
    />
  );
}

/** What brings snippets in and takes them out, above the tree. */
export function TransferMenuButton() {
  const { tree, view, folders, mayWrite } = useLibrary();
  const folder = view.folderId === undefined ? undefined : folders.get(view.folderId);
  const teamId = folder?.team_id ?? view.teamId;
  if (!tree || tree.teams.length === 0) return null;
  const exportTeam = () => openTransfer({ act: "export", teamId });
  if (!mayWrite())
    return (
      <IconButton label="Export" onClick={exportTeam}>
        <Icon name="download" />
      </IconButton>
    );
  return (
    <Menu
      label="Import or export"
      items={[
        {
          label: "Import",
          onSelect: () => openTransfer({ act: "import", given: [], teamId, folderId: folder?.id }),
        },
        { label: "Export", onSelect: exportTeam },
      ]}
    />
  );
}

/** What can be done with a row. Empty for those who only read. */
export function itemsOfRow(row: TreeRow): readonly (MenuItem | "separator")[] {
  const { team } = row;
  const create = (kind: "folder" | "tag", label: string, parentId?: string): MenuItem => ({
    label,
    onSelect: () =>
      openTreeDialog({ act: "create", kind, teamId: team.id, ...(parentId !== undefined && { parentId }) }),
  });
  const newFolder = team.may_write ? [create("folder", "New folder")] : [];
  const newTag = team.may_write ? [create("tag", "New tag")] : [];
  if (row.kind === "team") return [...newFolder, ...newTag];
  if (row.kind === "tags") return newTag;
  if (!team.may_write) return [];
  const { kind } = row;
  const id = row.kind === "folder" ? row.folder.id : row.tag.id;
  const open = (act: "edit" | "move" | "delete") => () => openTreeDialog({ act, kind, id });
  const inner = kind === "folder" ? create("folder", "New subfolder", id) : create("tag", "New nested tag", id);
  if (!team.may_manage) return [inner];
  return [
    inner,
    { label: "Rename or change color", onSelect: open("edit") },
    { label: "Move", onSelect: open("move") },
    ...(row.kind === "tag"
      ? [{ label: "Merge into another tag", onSelect: () => openTreeDialog({ act: "merge", kind: "tag", id }) }]
      : []),
    "separator",
    { label: "Delete", tone: "danger", onSelect: open("delete") },
  ];
}
