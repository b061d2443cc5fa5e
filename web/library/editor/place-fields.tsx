// Where a snippet is: its folder and its tags. Both are of its team.
import { useMemo } from "react";
import { quote } from "../../components/format.ts";
import { Icon } from "../../components/icons.tsx";
import { useLibrary } from "../library-context.tsx";
import { ColorDot } from "../list/tag-chip.tsx";
import { pathOfFolder } from "../names.ts";
import { Combobox, type Option } from "./combobox.tsx";
import { isSameName, nameOfNewTag, newTagId } from "./new-tags.ts";

const noFolderId = "none";

export function FolderField({
  teamId,
  folderId,
  onChange,
}: {
  teamId: string | undefined;
  folderId: string | null;
  onChange: (folderId: string | null) => void;
}) {
  const { folders } = useLibrary();
  const options = useMemo(() => {
    const own = [...folders.values()].filter((folder) => folder.team_id === teamId);
    const named: Option[] = own.map(({ id }) => ({ id, label: nameOfPath(folders, id) }));
    return [
      { id: noFolderId, label: "No folder" },
      ...named.sort((left, right) => left.label.localeCompare(right.label, "en", { numeric: true })),
    ];
  }, [folders, teamId]);
  return (
    <Combobox
      label="Folder"
      placeholder="No folder"
      shownText={folderId === null ? "" : nameOfPath(folders, folderId)}
      options={options}
      isDisabled={teamId === undefined}
      onPick={(id) => onChange(id === noFolderId ? null : id)}
    />
  );
}

const nameOfPath = (folders: Parameters<typeof pathOfFolder>[0], id: string): string =>
  pathOfFolder(folders, id)
    .map((folder) => folder.folder_name)
    .join(" / ");

/** Offered where nothing has the typed name. */
const createId = "create";

export function TagsField({
  teamId,
  tagIds,
  onChange,
}: {
  teamId: string | undefined;
  tagIds: readonly string[];
  onChange: (tagIds: readonly string[]) => void;
}) {
  const { tags } = useLibrary();
  const own = [...tags.values()].filter((tag) => tag.team_id === teamId);
  const isNamed = (name: string) =>
    own.some(({ tag_name }) => isSameName(tag_name, name)) ||
    tagIds.some((id) => isSameName(nameOfNewTag(id) ?? "", name));
  return (
    <Combobox
      label="Tags"
      placeholder={tagIds.length === 0 ? "Add tags to help people find it" : ""}
      options={own
        .filter(({ id }) => !tagIds.includes(id))
        .map(({ id, tag_name, tag_color }) => ({ id, label: tag_name, mark: <ColorDot color={tag_color} /> }))}
      extraOptions={(name) =>
        name === "" || isNamed(name)
          ? []
          : [{ id: createId, label: `Create tag ${quote(name)}`, mark: <Icon name="plus" className="size-3.5" /> }]
      }
      isDisabled={teamId === undefined}
      onPick={(id, name) => onChange([...tagIds, id === createId ? newTagId(name) : id])}
      onBackspace={() => onChange(tagIds.slice(0, -1))}
    >
      {tagIds.map((id) => {
        const tag = tags.get(id);
        const name = tag?.tag_name ?? nameOfNewTag(id) ?? "Deleted tag";
        return (
          <span
            key={id}
            className="bg-sunken inline-flex max-w-48 min-w-0 items-center gap-1.5 rounded-full pl-2 text-xs leading-7 sm:leading-6"
          >
            <ColorDot color={tag?.tag_color ?? ""} />
            <span className="truncate">{name}</span>
            <button
              type="button"
              aria-label={`Remove tag ${name}`}
              onClick={() => onChange(tagIds.filter((other) => other !== id))}
              className="text-quiet hover:text-text grid size-7 place-items-center rounded-full sm:size-6"
            >
              <Icon name="close" className="size-3" />
            </button>
          </span>
        );
      })}
    </Combobox>
  );
}
