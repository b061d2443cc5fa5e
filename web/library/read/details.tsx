// Where a snippet is, and who wrote it when.
import { Link } from "wouter";
import { Icon } from "../../components/icons.tsx";
import { Time } from "../../components/time.tsx";
import { noFilters } from "../address.ts";
import type { Author, Snippet } from "../data.ts";
import { useLibrary } from "../library-context.tsx";
import { ColorDot } from "../list/tag-chip.tsx";
import { searched } from "../marks/use-marks.ts";
import { isNamedKey, nameOfAuthor, pathOfFolder } from "../names.ts";
import { Activity } from "./activity.tsx";

const linkClass = "hover:text-text hover:underline underline-offset-3 rounded-sm min-w-0 truncate max-w-56";

/** Shortcut, team with folders, and tags; each leads to what else is there. */
export function Places({ snippet }: { snippet: Snippet }) {
  const { hrefOf, teams, folders, tags } = useLibrary();
  const team = teams.get(snippet.team_id);
  const path = snippet.folder_id === null ? [] : pathOfFolder(folders, snippet.folder_id);
  const own = snippet.tag_ids.flatMap((id) => tags.get(id) ?? []);
  return (
    <div className="text-quiet flex flex-wrap items-center gap-x-4 gap-y-2 text-[0.8125rem]">
      <span className="flex min-w-0 flex-wrap items-center gap-x-1.5 gap-y-1">
        <Icon name="folder" className="size-4" />
        {team && (
          <Link href={hrefOf({ ...noFilters, teamId: team.id })} className={linkClass}>
            {team.name}
          </Link>
        )}
        {path.map((folder) => (
          <span key={folder.id} className="flex min-w-0 items-center gap-1.5">
            <span aria-hidden="true">/</span>
            <Link href={hrefOf({ ...noFilters, folderId: folder.id })} className={linkClass}>
              {folder.folder_name}
            </Link>
          </span>
        ))}
      </span>
      {snippet.shortcut !== null && snippet.shortcut !== "" && (
        <span className="flex min-w-0 items-center gap-1">
          <span className="sr-only">Shortcut: </span>
          <code {...searched("name")} className="bg-sunken text-text rounded px-1.5 py-0.5 text-xs wrap-anywhere">
            {snippet.shortcut}
          </code>
        </span>
      )}
      {own.length > 0 && (
        <ul aria-label="Tags" className="flex min-w-0 flex-wrap gap-1.5">
          {own.map((tag) => (
            <li key={tag.id} className="min-w-0">
              <Link
                href={hrefOf({ ...noFilters, tagIds: [tag.id] })}
                className="border-line hover:bg-hover text-text inline-flex min-h-6 max-w-56 items-center gap-1.5 rounded-full border px-2 text-xs"
              >
                <ColorDot color={tag.tag_color} />
                <span {...searched("text")} className="truncate">
                  {tag.tag_name}
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Who wrote it when, and what was done to it. */
export function People({ snippet: { id, created_by, created_at, updated_by, updated_at } }: { snippet: Snippet }) {
  const isUnchanged = created_at === updated_at;
  return (
    <footer className="border-line text-quiet grid content-start gap-1 border-t pt-3 text-[0.8125rem] @[52rem]:border-s @[52rem]:border-t-0 @[52rem]:ps-5 @[52rem]:pt-1">
      {!isUnchanged && (
        <p>
          Changed <Time at={updated_at} part="relative" /> by <AuthorName author={updated_by} />
        </p>
      )}
      <p>
        Created <Time at={created_at} part="day" /> by <AuthorName author={created_by} />
      </p>
      <Activity key={id} snippetId={id} created={{ at: created_at, by: created_by }} />
    </footer>
  );
}

const AuthorName = ({ author }: { author: Author }) => (
  <>
    <bdi className="wrap-anywhere">{nameOfAuthor(author)}</bdi>
    {isNamedKey(author) && " (API key)"}
  </>
);
