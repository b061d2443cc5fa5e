// The palette: snippets, folders, tags, pages and acts, found by typing, from every page of the console.
import { useEffect, useMemo, useState } from "react";
import { useLocation, useRoute } from "wouter";
import type { Action } from "../../../src/contract/console/actions.ts";
import { defaultWorkspace } from "../../address.ts";
import { useConsoleQuery } from "../../api.ts";
import { askToCreate } from "../../components/button.tsx";
import { pluralize } from "../../components/format.ts";
import { Icon, type IconName } from "../../components/icons.tsx";
import { workspacePages } from "../../routes.tsx";
import { setTheme, type Theme } from "../../theme.ts";
import { useMembership, usePerson, useSession } from "../../workspace.tsx";
import { emptyView, formatView, type View } from "../address.ts";
import { KeyCap } from "../key-cap.tsx";
import { matchLineOf } from "../list/match.ts";
import { Marked } from "../marks/marked.tsx";
import { useSearchQuery } from "../marks/places.ts";
import { showKeys } from "../open-keys.tsx";
import { openUndo } from "../selection/open-undo.tsx";
import { useGroupChoices } from "../tree/choices.tsx";
import { type Group, groupsOf, pathNames } from "../tree/group.ts";
import { openTreeDialog } from "../tree/open-dialog.ts";
import { type Choice, ChoiceDialog, type ChoiceGroup } from "./choice-dialog.tsx";
import { commands } from "./commands.ts";
import { findBest, firstWords, rankOf } from "./rank.ts";

/** Typing is searched for after a pause. */
const searchAfterMilliseconds = 80;
const snippetsMax = 8;
const groupsMax = 5;
const noGroups: readonly Group[] = [];

export default function LoadedPalette({ onClose }: { onClose: () => void }) {
  const [query, setQuery] = useState("");
  const [searched, setSearched] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setSearched(query.trim()), searchAfterMilliseconds);
    return () => clearTimeout(timer);
  }, [query]);
  const typed = query.trim();
  const open = useOpen();
  const { teams, folders, tags, placeOf } = useTreeChoices(typed, open);
  const snippets = useSnippetChoices(searched, open, placeOf);
  const places = usePlaces(open);
  const found = findBest(places, typed, nameOfPlace, places.length).filter(
    // Commands are many, and are found by typing.
    ({ words }) => typed !== "" || words === undefined,
  );
  // What is named so comes before what contains it, and a team, a folder, or a tag before snippets with the same word.
  const isNamed = ({ label }: Choice) => typed.length > 1 && (rankOf(label, typed) ?? 2) <= 1;
  const groups: readonly ChoiceGroup[] = [
    { name: "Best match", choices: [...teams, ...found].filter(isNamed) },
    { name: searched === "" ? "Recently changed" : "Snippets", choices: snippets.choices },
    ...(typed === ""
      ? []
      : [
          { name: "Teams", choices: teams.filter((choice) => !isNamed(choice)) },
          { name: "Folders", choices: folders },
          { name: "Tags", choices: tags },
        ]),
    { name: "Pages and actions", choices: found.filter((choice) => !isNamed(choice)) },
  ];
  return (
    <ChoiceDialog
      title="Find anything"
      placeholder="Find snippets, teams, pages, actions"
      query={query}
      onQuery={setQuery}
      groups={groups}
      isBusy={snippets.isBusy || searched !== typed}
      empty="No results. Search matches the beginning of words."
      footer={
        <span className="flex gap-4">
          <Hint keyName="ArrowDown" text="Navigate" />
          <Hint keyName="Enter" text="Open" />
          <Hint keyName="Escape" text="Close" />
        </span>
      }
      onClose={onClose}
    />
  );
}

const Hint = ({ keyName, text }: { keyName: string; text: string }) => (
  <span className="inline-flex items-center gap-1.5">
    <KeyCap of={keyName} />
    {text}
  </span>
);

interface Open {
  readonly workspaceId: string | undefined;
  readonly may: (action: Action) => boolean;
  /** Opens a page of the console. */
  readonly page: (path: string) => void;
  /** Opens the library, which shows this and nothing else. */
  readonly library: (view: Partial<View>) => void;
}

/** In the open workspace, or in the one that was open last. */
function useOpen(): Open {
  const { memberships } = useSession();
  const membership = useMembership() ?? defaultWorkspace(memberships);
  const [, navigate] = useLocation();
  const workspaceId = membership?.workspace_id;
  return {
    workspaceId,
    may: (action) => membership?.actions.includes(action) === true,
    page: navigate,
    library: (view) => navigate(`/w/${workspaceId}/library${formatView({ ...emptyView, ...view })}`),
  };
}

/** Where a snippet is; empty where that says nothing. */
type PlaceOf = (snippet: { readonly team_id: string; readonly folder_id: string | null }) => string;

function useSnippetChoices(query: string, { workspaceId, may, library }: Open, placeOf: PlaceOf) {
  const isEnabled = workspaceId !== undefined && may("library.read");
  const pieces = useSearchQuery(query);
  const { data, isFetching } = useConsoleQuery("getLibrarySearch", {
    query: { workspaceId, query: query || undefined, limit: query === "" ? groupsMax : snippetsMax },
    isEnabled,
    keepsPreviousData: true,
  });
  const choices = (isEnabled ? (data?.data ?? []) : []).map(
    ({ id, title, preview, shortcut, matches, ...place }): Choice => {
      const line = matchLineOf({ matches });
      return {
        key: id,
        label: title,
        // Most replies begin with the same salutation, so their first line tells nothing.
        detail: [
          line && line.lead + line.text.slice(line.from),
          placeOf(place),
          !line && place.folder_id === null && firstWords(preview),
        ]
          .filter(Boolean)
          .join(" · "),
        lead: <Icon name="library" className="size-4.5" />,
        trail: shortcut && (
          <code className="bg-sunken max-w-28 truncate rounded px-1 text-xs">
            <Marked what="name" text={shortcut} query={pieces} />
          </code>
        ),
        onPick: () => library({ snippetId: id }),
      };
    },
  );
  return { choices, isBusy: isFetching };
}

function useTreeChoices(query: string, { workspaceId, may, library }: Open) {
  const isEnabled = workspaceId !== undefined && may("library.read");
  const tree = useConsoleQuery("getLibraryTree", { query: { workspaceId }, isEnabled }).data?.data;
  const groups = useMemo(
    () =>
      tree ? { folders: groupsOf(tree, "folder"), tags: groupsOf(tree, "tag") } : { folders: noGroups, tags: noGroups },
    [tree],
  );
  const foldersById = useMemo(() => new Map(groups.folders.map((folder) => [folder.id, folder])), [groups]);
  const folders = useGroupChoices(groups.folders, query).slice(0, groupsMax);
  const tags = useGroupChoices(groups.tags, query).slice(0, groupsMax);
  const teams = findBest(tree?.teams ?? [], query, ({ name }) => name, groupsMax);
  const placeOf: PlaceOf = ({ team_id, folder_id }) => {
    // Of a single team, the name says nothing.
    const team = (tree?.teams.length ?? 0) > 1 ? tree?.teams.find(({ id }) => id === team_id)?.name : undefined;
    return [team, pathNames(foldersById, folder_id)].filter(Boolean).join(" / ");
  };
  return {
    placeOf,
    teams: teams.map(
      ({ id, name, snippet_count, archived_count }): Choice => ({
        key: id,
        label: name,
        detail: `Team · ${pluralize(snippet_count - archived_count, "snippet")}`,
        lead: <Icon name="teams" className="size-4.5" />,
        onPick: () => library({ teamId: id }),
      }),
    ),
    folders: folders.map((choice) => ({ ...choice, onPick: () => library({ folderId: choice.key }) })),
    tags: tags.map((choice) => ({ ...choice, onPick: () => library({ tagIds: [choice.key] }) })),
  };
}

/** A page or an act. */
interface PlaceChoice extends Choice {
  /** Other words that find it. */
  readonly words?: string;
}

const nameOfPlace = ({ label, words = "" }: PlaceChoice): string => `${label} ${words}`;

/** What can be done and opened without knowing a snippet. */
function usePlaces({ workspaceId, may, page, library }: Open): readonly PlaceChoice[] {
  const { is_operator } = usePerson();
  const [isLibrary] = useRoute("/w/:workspaceId/library");
  const place = (label: string, icon: IconName, onPick: () => void, trail?: Choice["trail"]): Choice => ({
    key: label,
    label,
    lead: <Icon name={icon} className="size-4.5" />,
    onPick,
    trail,
  });
  const theme = (name: Theme, label: string) => place(label, "settings", () => setTheme(name));
  const create = (kind: "folder" | "tag") => () => {
    library({});
    openTreeDialog({ act: "create", kind });
  };
  return [
    ...(may("library.write")
      ? [
          place(
            "New snippet",
            "plus",
            () => library({ mode: "new" }),
            // Elsewhere the key does nothing.
            isLibrary && <KeyCap of="n" className="hidden sm:inline-flex" />,
          ),
          place("New tag", "tag", create("tag")),
          place("New folder", "folder", create("folder")),
        ]
      : []),
    ...(may("library.read") ? [place("Archive", "archive", () => library({ shelf: "archived" }))] : []),
    ...(may("library.write") ? [place("Trash", "trash", () => library({ shelf: "trash" }))] : []),
    ...(may("library.read") ? [place("Activity", "history", () => library({ shelf: "activity" }))] : []),
    ...workspacePages.flatMap(({ path, action, menuEntry }) =>
      menuEntry && may(action) ? [place(menuEntry.name, menuEntry.icon, () => page(`/w/${workspaceId}/${path}`))] : [],
    ),
    ...(may("library.write") && workspaceId !== undefined
      ? [{ ...place("Undo changes", "history", () => openUndo(workspaceId)), words: "revert take back" }]
      : []),
    ...commands.flatMap(({ label, words, icon, path, needs, opensDialog }): PlaceChoice[] => {
      if (needs !== undefined && !(needs === "operator" ? is_operator : may(needs))) return [];
      const open = () => {
        if (opensDialog) askToCreate(label);
        page(path.startsWith("/") ? path : `/w/${workspaceId}/${path}`);
      };
      return [{ ...place(label, icon, open), words }];
    }),
    place("Keyboard shortcuts", "keyboard", showKeys, <KeyCap of="?" isHint className="hidden sm:inline-flex" />),
    place("Account", "person", () => page("/account")),
    ...(is_operator
      ? [
          place("Workspaces", "workspaces", () => page("/workspaces")),
          place("People", "people", () => page("/people")),
          place("Account log", "accountLog", () => page("/account-log")),
          place("Instance", "instance", () => page("/instance")),
        ]
      : []),
    theme("light", "Light theme"),
    theme("dark", "Dark theme"),
    theme("system", "System theme"),
  ];
}
