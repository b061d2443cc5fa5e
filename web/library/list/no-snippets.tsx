// What is said where the list is empty: why, and what one can do about it.
import { Button } from "../../components/button.tsx";
import { quote } from "../../components/format.ts";
import { Icon } from "../../components/icons.tsx";
import { EmptyState } from "../../components/states.tsx";
import { emptyView, isNarrowed, noFilters, type View } from "../address.ts";
import { KeyCap } from "../key-cap.tsx";
import { useLibrary } from "../library-context.tsx";
import { FirstTime } from "../parts.tsx";
import { openTransfer } from "../transfer/open-transfer.ts";
import { useArchiveHits } from "./archive-hits.tsx";

interface NoSnippetsProps {
  readonly query: string;
  /** Empties the field. */
  readonly onClear: () => void;
}

export function NoSnippets({ query, onClear }: NoSnippetsProps) {
  const { view } = useLibrary();
  const place = usePlace();
  if (query === "" && place) return <EmptyPlace {...place} />;
  if (query !== "" || isNarrowed(view)) return <NoMatches query={query} onClear={onClear} />;
  if (view.shelf === "archived")
    return (
      <EmptyState icon="archive" title="No archived snippets">
        When you archive a snippet, it moves here from the list.
      </EmptyState>
    );
  return <FirstTime />;
}

interface Place {
  readonly name: string;
  readonly teamId: string;
  readonly folderId: string | undefined;
}

/** The team or folder that is listed as a whole; undefined where anything else narrows the list. */
function usePlace(): Place | undefined {
  const { view, teams, folders } = useLibrary();
  const { teamId, folderId } = view;
  const rest: View = { ...view, teamId: undefined, folderId: undefined };
  if (view.shelf !== emptyView.shelf || isNarrowed(rest)) return undefined;
  const folder = folderId === undefined ? undefined : folders.get(folderId);
  if (folder) return { name: quote(folder.folder_name), teamId: folder.team_id, folderId };
  const team = teamId === undefined || folderId !== undefined ? undefined : teams.get(teamId);
  return team && { name: team.name, teamId: team.id, folderId };
}

function EmptyPlace({ name, teamId, folderId }: Place) {
  const { change, mayWrite } = useLibrary();
  const title = `No snippets in ${name} yet`;
  if (!mayWrite(teamId))
    return (
      <EmptyState icon="library" title={title}>
        Snippets that your team saves will appear here.
      </EmptyState>
    );
  return (
    <EmptyState
      icon="library"
      title={title}
      action={
        <div className="flex flex-wrap justify-center gap-2">
          <Button variant="primary" onClick={() => change({ mode: "new", snippetId: undefined })}>
            New snippet
            <KeyCap of="n" isHint className="max-lg:hidden" />
          </Button>
          <Button onClick={() => openTransfer({ act: "import", given: [], teamId, folderId })}>Import</Button>
        </div>
      }
    >
      Write the first one, or import snippets from a file.
    </EmptyState>
  );
}

function NoMatches({ query, onClear }: NoSnippetsProps) {
  const { change, mayWrite } = useLibrary();
  const archiveHits = useArchiveHits(query);
  const clear = () => {
    onClear();
    change({ ...noFilters, query: "" });
  };
  return (
    <EmptyState
      icon="search"
      title="No matching snippets"
      action={
        <div className="flex flex-wrap justify-center gap-2">
          {archiveHits !== undefined && (
            <Button size="small" variant="primary" onClick={() => change({ shelf: "archived" })}>
              <Icon name="archive" className="size-4" />
              Show {archiveHits}
            </Button>
          )}
          <Button size="small" onClick={clear}>
            Show all snippets
          </Button>
        </div>
      }
    >
      {query !== "" && (
        <>
          Search matches the beginning of words in titles, text, notes, tags, and shortcuts. Try fewer or shorter words.
          {mayWrite() && " Tip: add tags for other words people might search for."}
        </>
      )}
    </EmptyState>
  );
}
