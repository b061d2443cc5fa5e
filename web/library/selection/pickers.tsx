// Where to move the selected snippets, and which tag to add or remove: chosen by typing.
import { useMemo, useState } from "react";
import { callConsole } from "../../api.ts";
import { quote } from "../../components/format.ts";
import { Icon } from "../../components/icons.tsx";
import { toastError } from "../../components/toast.tsx";
import { useWorkspace } from "../../workspace.tsx";
import type { Tree } from "../data.ts";
import { useLibrary } from "../library-context.tsx";
import { type Choice, ChoiceDialog } from "../palette/choice-dialog.tsx";
import { findBest } from "../palette/rank.ts";
import { useGroupChoices } from "../tree/choices.tsx";
import { nextColor } from "../tree/colors.ts";
import { type Group, groupsOf } from "../tree/group.ts";
import type { GroupKind } from "../tree/open-dialog.ts";
import { sayMoved } from "./plan.ts";
import type { Acts } from "./use-acts.ts";
import type { SelectedRow } from "./use-selection.ts";

export interface PickerProps {
  readonly what: "move" | "tag";
  /** Of one team. */
  readonly rows: readonly SelectedRow[];
  readonly acts: Acts;
  readonly onClose: () => void;
}

export default function Picker(props: PickerProps) {
  const { tree } = useLibrary();
  if (!tree) return null;
  return props.what === "move" ? <FolderPicker {...props} tree={tree} /> : <TagPicker {...props} tree={tree} />;
}

/** All folders or tags of a team. */
const useGroups = (tree: Tree, kind: GroupKind, teamId: string | undefined): readonly Group[] =>
  useMemo(() => groupsOf(tree, kind).filter((group) => group.teamId === teamId), [tree, kind, teamId]);

function FolderPicker({ rows, acts, onClose, tree }: PickerProps & { tree: Tree }) {
  const [query, setQuery] = useState("");
  const otherTeams = useOtherTeams({ rows, acts, tree, query });
  const folders = useGroups(tree, "folder", rows[0]?.team_id);
  const moveTo = (folderId: string | null, name?: string) => () =>
    void acts.change(rows, { folderId }, sayMoved(rows.length, name), "Moving snippets");
  const choices: Choice[] = useGroupChoices(folders, query).map((choice) => ({
    ...choice,
    isChecked: rows.every(({ folder_id }) => folder_id === choice.key),
    onPick: moveTo(choice.key, choice.label),
  }));
  if (query.trim() === "" && rows.some(({ folder_id }) => folder_id !== null))
    choices.unshift({
      key: "none",
      label: "No folder",
      lead: <Icon name="close" className="size-4" />,
      onPick: moveTo(null),
    });
  return (
    <ChoiceDialog
      title={otherTeams ? "Move to folder or team" : "Move to folder"}
      placeholder={otherTeams ? "Move to folder or team" : "Move to folder"}
      query={query}
      onQuery={setQuery}
      groups={[
        { name: "", choices },
        { name: "Other teams", choices: otherTeams ?? [] },
      ]}
      empty={query === "" ? "This team has no folders yet." : otherTeams ? "No matches." : "No matching folders."}
      footer={
        otherTeams && "In another team, a snippet keeps its history, and the tags that the team has by the same names."
      }
      onClose={onClose}
    />
  );
}

/** The other teams that the person may write in, and their folders that match what is typed; undefined without any. */
function useOtherTeams({
  rows,
  acts,
  tree,
  query,
}: Pick<PickerProps, "rows" | "acts"> & { tree: Tree; query: string }): readonly Choice[] | undefined {
  const own = rows[0]?.team_id;
  const teams = tree.teams.filter(({ id, may_write }) => may_write && id !== own);
  const folders = useMemo(() => groupsOf(tree, "folder"), [tree]);
  const inOthers = useGroupChoices(
    folders.filter(({ teamId }) => teams.some(({ id }) => id === teamId)),
    query,
  );
  if (teams.length === 0) return undefined;
  const moveTo = (teamId: string, folderId: string | null, name: string) => () =>
    void acts.change(rows, { teamId, folderId }, sayMoved(rows.length, name), "Moving snippets");
  const teamOf = new Map(folders.map(({ id, teamId }) => [id, tree.teams.find((team) => team.id === teamId)]));
  const named = findBest(teams, query, ({ name }) => name, teams.length).map(
    ({ id, name }): Choice => ({
      key: id,
      label: name,
      lead: <Icon name="teams" className="size-4" />,
      onPick: moveTo(id, null, name),
    }),
  );
  if (query.trim() === "") return named;
  const matching = inOthers.flatMap((choice): Choice[] => {
    const team = teamOf.get(choice.key);
    if (!team) return [];
    const detail = [team.name, choice.detail].filter(Boolean).join(" / ");
    return [{ ...choice, detail, onPick: moveTo(team.id, choice.key, choice.label) }];
  });
  return [...named, ...matching];
}

function TagPicker({ rows, acts, onClose, tree }: PickerProps & { tree: Tree }) {
  const { id: workspaceId } = useWorkspace();
  const [query, setQuery] = useState("");
  const teamId = rows[0]?.team_id;
  const groups = useGroups(tree, "tag", teamId);
  const add = (tagId: string, name: string) =>
    acts.change(
      rows,
      { addTagIds: [tagId] },
      (snippets) => `Tagged ${snippets} with ${quote(name)}`,
      "Tagging snippets",
    );
  const remove = (tagId: string, name: string) =>
    acts.change(
      rows,
      { removeTagIds: [tagId] },
      (snippets) => `Removed tag ${quote(name)} from ${snippets}`,
      "Removing the tag",
    );
  const create = async (name: string) => {
    if (teamId === undefined) return;
    const { data } = await callConsole("postLibraryTag", {
      body: { teamId, tagName: name, tagColor: nextColor(groups.length) },
      workspaceId,
    });
    await add(data.tag.id, name);
  };
  const choices = useGroupChoices(groups, query).map((choice): Choice => {
    const { key: id, label: name } = choice;
    const count = rows.filter(({ tag_ids }) => tag_ids.includes(id)).length;
    return {
      ...choice,
      ...(count > 0 && count < rows.length && { detail: `On ${count} of ${rows.length}` }),
      isChecked: count === rows.length,
      onPick: () => void (count === rows.length ? remove(id, name) : add(id, name)),
    };
  });
  const typed = query.trim();
  if (typed !== "" && !groups.some(({ name }) => name === typed))
    choices.push({
      key: "new",
      label: `Create tag ${quote(typed)}`,
      lead: <Icon name="plus" className="size-4" />,
      onPick: () => void create(typed).catch(toastError),
    });
  return (
    <ChoiceDialog
      title="Add or remove a tag"
      placeholder="Add or remove a tag"
      query={query}
      onQuery={setQuery}
      groups={[{ name: "", choices }]}
      empty="This team has no tags yet. Type a name to create one."
      onClose={onClose}
    />
  );
}
