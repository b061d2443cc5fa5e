// What narrows the list, as chips. Each can be removed.
import type { ReactNode } from "react";
import { formatDay } from "../../components/format.ts";
import { Icon } from "../../components/icons.tsx";
import { emptyView, noFilters, type View } from "../address.ts";
import { useLibrary } from "../library-context.tsx";
import { useAuthorName } from "./authors.ts";
import { ColorDot } from "./tag-chip.tsx";

interface Chip {
  readonly key: string;
  readonly label: string;
  readonly lead?: ReactNode;
  readonly without: Partial<View>;
}

export function Chips() {
  const { view, change } = useLibrary();
  const chips = useChips();
  const clear = { ...noFilters, ...(view.shelf === "all" && { shelf: emptyView.shelf }) };
  if (chips.length === 0) return null;
  return (
    <ul aria-label="Filters" className="flex flex-wrap gap-1.5 px-4 pb-2">
      {chips.map(({ key, label, lead, without }) => (
        <li key={key} className="min-w-0 max-w-full">
          <button
            type="button"
            aria-label={`Remove filter: ${label}`}
            onClick={() => change(without)}
            className="bg-sunken hover:bg-hover border-line inline-flex min-h-9 max-w-full items-center gap-1.5 rounded-full border pr-2 pl-2.5 text-xs md:min-h-6.5"
          >
            {lead}
            <span className="truncate">{label}</span>
            <Icon name="close" className="text-quiet size-3" />
          </button>
        </li>
      ))}
      {chips.length > 1 && (
        <li>
          <button type="button" onClick={() => change(clear)} className="link min-h-9 px-1 text-xs md:min-h-6.5">
            Clear all
          </button>
        </li>
      )}
    </ul>
  );
}

function useChips(): readonly Chip[] {
  const { view, teams, folders, tags } = useLibrary();
  const authorName = useAuthorName(view.authorId);
  const chips: Chip[] = [];
  const { teamId, folderId, contentType, since } = view;
  // A folder says which team it is of.
  if (teamId !== undefined && folderId === undefined)
    chips.push({ key: "team", label: teams.get(teamId)?.name ?? "Unknown team", without: { teamId: undefined } });
  if (folderId !== undefined) {
    const folder = folders.get(folderId);
    chips.push({
      key: "folder",
      label: `${folder?.folder_name ?? "Unknown folder"}${view.isInside ? "" : ", without subfolders"}`,
      lead: <Icon name="folder" className="text-quiet size-3.5" />,
      without: { folderId: undefined, isInside: true },
    });
  }
  for (const tagId of view.tagIds) {
    const tag = tags.get(tagId);
    chips.push({
      key: tagId,
      label: tag?.tag_name ?? "Unknown tag",
      lead: tag && <ColorDot color={tag.tag_color} />,
      without: { tagIds: view.tagIds.filter((other) => other !== tagId) },
    });
  }
  if (contentType !== undefined)
    chips.push({ key: "type", label: `Type: ${contentType}`, without: { contentType: undefined } });
  if (view.authorId !== undefined)
    chips.push({ key: "author", label: `Created by: ${authorName ?? "unknown"}`, without: { authorId: undefined } });
  if (since !== undefined)
    chips.push({ key: "since", label: `Changed since ${formatDay(since)}`, without: { since: undefined } });
  if (view.shelf === "all")
    chips.push({
      key: "archive",
      label: "With archived snippets",
      lead: <Icon name="archive" className="text-quiet size-3.5" />,
      without: { shelf: emptyView.shelf },
    });
  return chips;
}
