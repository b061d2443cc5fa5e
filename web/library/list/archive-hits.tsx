// What a search would find in the archive, below the field: people look for what they have archived, too.
import { useConsoleQuery } from "../../api.ts";
import { formatCount } from "../../components/format.ts";
import { searchOf } from "../data.ts";
import { useLibrary } from "../library-context.tsx";

/** How many archived snippets the query finds, as words: `1 in the archive`; undefined without any. Asked for once the typing stops. */
export function useArchiveHits(query: string): string | undefined {
  const { view, tree } = useLibrary();
  const hasArchive = tree?.teams.some(({ archived_count }) => archived_count > 0) === true;
  const { data } = useConsoleQuery("getLibrarySearch", {
    query: { ...searchOf(view, query), isArchived: true, sort: undefined, limit: 1 },
    isEnabled: hasArchive && view.shelf === "current" && query.trim() !== "" && query === view.query,
  });
  if (!data || view.shelf !== "current" || query !== view.query) return undefined;
  const { totalCount, totalIsAtLeast, correctedQuery } = data.metadata;
  // In the archive, the query itself finds nothing then.
  if (correctedQuery !== undefined) return undefined;
  const count = totalCount ?? totalIsAtLeast ?? 0;
  return count === 0 ? undefined : `${formatCount(count)}${totalCount === undefined ? "+" : ""} in the archive`;
}

/** Shows them. */
export function ArchiveHits({ query }: { query: string }) {
  const { change } = useLibrary();
  const hits = useArchiveHits(query);
  if (hits === undefined) return null;
  return (
    <button type="button" className="link min-h-9 md:min-h-7" onClick={() => change({ shelf: "archived" })}>
      {hits}
    </button>
  );
}
