// The activity in place of the list: who did what, newest first. What one chooses opens beside it.
import { Link } from "wouter";
import { useConsolePages } from "../../api.ts";
import { Button, IconButton } from "../../components/button.tsx";
import { classNames } from "../../components/class-names.ts";
import { SelectField } from "../../components/field.tsx";
import { quote } from "../../components/format.ts";
import { Icon } from "../../components/icons.tsx";
import { Pager } from "../../components/pager.tsx";
import { EmptyState, ErrorState, Loading, Skeleton } from "../../components/states.tsx";
import { Time } from "../../components/time.tsx";
import { useWorkspace } from "../../workspace.tsx";
import { useLibrary } from "../library-context.tsx";
import { useAuthors } from "../list/authors.ts";
import { initialNameOfAuthor, isNamedKey } from "../names.ts";
import type { Act } from "../read/act-verbs.ts";
import { openUndo } from "../selection/open-undo.tsx";
import { endOfAct, verbOfAct } from "./sentences.ts";

export interface FeedProps {
  /** Shows the left pane; undefined where it is beside this one. */
  readonly onBrowse: (() => void) | undefined;
}

export default function Feed({ onBrowse }: FeedProps) {
  const { view, tree, teams, change, mayWrite } = useLibrary();
  const { id: workspaceId } = useWorkspace();
  const pages = useConsolePages("getLibraryActivity", { query: { teamId: view.teamId, authorId: view.authorId } });
  const authors = useAuthors(true);
  const hasTeams = (tree?.teams.length ?? 0) > 1;
  return (
    <>
      <div className="border-line grid gap-2 border-b px-3 pt-3 pb-3 md:px-4">
        <div className="flex min-h-9 items-center gap-1.5">
          {onBrowse && (
            <IconButton label="Folders and tags" onClick={onBrowse}>
              <Icon name="sidebar" />
            </IconButton>
          )}
          <h2 className="min-w-0 flex-1 truncate font-semibold">Activity</h2>
          {mayWrite() && (
            <Button size="small" onClick={() => openUndo(workspaceId)}>
              Undo changes
            </Button>
          )}
        </div>
        <div className={classNames("grid gap-2", hasTeams && "grid-cols-2")}>
          <SelectField
            label="Done by"
            value={view.authorId ?? ""}
            onChange={({ target }) => change({ authorId: target.value || undefined }, "replace")}
          >
            <option value="">Anyone</option>
            {authors.map(({ id, name, kind }) => (
              <option key={id} value={id}>
                {kind === "key" ? `${name} (API key)` : name}
              </option>
            ))}
          </SelectField>
          {hasTeams && (
            <SelectField
              label="Team"
              value={view.teamId ?? ""}
              onChange={({ target }) => change({ teamId: target.value || undefined }, "replace")}
            >
              <option value="">All teams</option>
              {[...teams.values()].map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </SelectField>
          )}
        </div>
      </div>
      {pages.rows === undefined ? (
        pages.error ? (
          <ErrorState error={pages.error} onRetry={() => void pages.refetch()} />
        ) : (
          <div className="p-4">
            <Loading label="Loading activity">
              <Skeleton lines={6} />
            </Loading>
          </div>
        )
      ) : (
        <div className="min-h-0 flex-1 overflow-y-auto">
          {pages.rows.length === 0 ? (
            <EmptyState icon="history" title="No activity">
              Changes that people and API keys make in the library appear here and are kept for a year.
            </EmptyState>
          ) : (
            <ol aria-label="Activity, newest first" className="divide-line divide-y">
              {pages.rows.map((act) => (
                <ActRow key={act.id} act={act} />
              ))}
            </ol>
          )}
          <Pager pages={pages} noun="event" />
        </div>
      )}
    </>
  );
}

function ActRow({ act }: { act: Act }) {
  const { view, teams } = useLibrary();
  const isOpen = act.snippet_id !== null && act.snippet_id === view.snippetId;
  return (
    <li className={classNames("grid gap-0.5 px-4 py-2.5", isOpen && "bg-accent-soft")}>
      <p className="wrap-anywhere">
        <bdi className="font-medium">{initialNameOfAuthor(act.author)}</bdi>
        {isNamedKey(act.author) && <span className="text-quiet"> (API key)</span>} {verbOfAct(act)} <Target act={act} />
        {endOfAct(act, (teamId) => teams.get(teamId)?.name)}
      </p>
      <p className="text-quiet text-xs">
        <Time at={act.at} part="relative" />
        {teams.size > 1 && ` · ${teams.get(act.team_id)?.name ?? "Deleted team"}`}
      </p>
    </li>
  );
}

/** Whether this took the snippet out of the team. */
const isGoneBy = (action: string): boolean => action === "snippet.delete" || action === "snippet.leave";

/** What it was done to. A snippet opens beside the list, unless this deleted it. */
function Target({ act: { action, snippet_id, name } }: { act: Act }) {
  const { hrefOf } = useLibrary();
  if (name === null)
    return (
      snippet_id !== null &&
      (isGoneBy(action) ? "a snippet" : "a snippet that has since left this team or been permanently deleted")
    );
  const text = <bdi>{quote(name)}</bdi>;
  if (snippet_id === null || isGoneBy(action)) return text;
  const href = hrefOf({ snippetId: snippet_id, variationId: undefined, mode: "read", isBrowsing: false });
  return (
    <Link href={href} className="text-accent hover:underline">
      {text}
    </Link>
  );
}
