// What an empty library offers: write the first snippet, or look around with examples.
import { useState } from "react";
import { useConsoleMutation } from "../../api.ts";
import { Button, ButtonLink } from "../../components/button.tsx";
import { Icon } from "../../components/icons.tsx";
import { EmptyState } from "../../components/states.tsx";
import { toast, toastError } from "../../components/toast.tsx";
import { useWorkspace } from "../../workspace.tsx";
import type { Team } from "../data.ts";
import { useLibrary } from "../library-context.tsx";
import { ChoiceDialog } from "../palette/choice-dialog.tsx";
import { findBest } from "../palette/rank.ts";
import { openTransfer } from "../transfer/open-transfer.ts";

export default function FirstTime() {
  const { tree, change, mayWrite } = useLibrary();
  const { may, to } = useWorkspace();
  const [isChoosing, setIsChoosing] = useState(false);
  const teams = tree?.teams ?? [];
  // Examples that someone deleted one by one have to be removed before they can be loaded again.
  const manageable = teams.filter(({ may_manage, has_examples }) => may_manage && !has_examples);
  const [only] = manageable;
  const isEmpty = teams.every(({ snippet_count }) => snippet_count === 0);
  const load = useConsoleMutation("postLibraryExamples", {
    onSuccess: ({ snippetIds }) => toast(`Loaded ${snippetIds.length} examples`),
  });
  const loadInto = (teamId: string) => load.mutate({ query: { teamId } }, { onError: toastError });
  if (tree && teams.length === 0)
    return (
      <EmptyState
        icon="teams"
        title="No teams yet"
        action={may("teams.create") && <ButtonLink href={to("teams")}>Go to Teams</ButtonLink>}
      >
        {may("teams.create")
          ? "Snippets belong to a team. Create a team, then write your first snippet."
          : "Snippets belong to a team. Ask a workspace admin to add you to one."}
      </EmptyState>
    );
  if (!mayWrite())
    return (
      <EmptyState icon="library" title="No snippets yet">
        Snippets that your team saves will appear here.
      </EmptyState>
    );
  return (
    <EmptyState
      icon="library"
      title="No snippets yet"
      action={
        <div className="grid gap-2">
          <Button variant="primary" onClick={() => change({ mode: "new" })}>
            <Icon name="plus" className="size-4" />
            Write a snippet
          </Button>
          <Button onClick={() => openTransfer({ act: "import", given: [] })}>Import snippets</Button>
          {isEmpty && only && (
            <Button
              isBusy={load.isPending}
              onClick={() => (manageable.length === 1 ? loadInto(only.id) : setIsChoosing(true))}
            >
              Load 20 examples
            </Button>
          )}
          {isChoosing && <TeamChoice teams={manageable} onPick={loadInto} onClose={() => setIsChoosing(false)} />}
        </div>
      }
    >
      Save a reply, a prompt, or a piece of code here, and your team can find it by any word in it.
      {isEmpty && only && " To see how it works, load some examples. You can remove them with one click."}
    </EmptyState>
  );
}

interface TeamChoiceProps {
  readonly teams: readonly Team[];
  readonly onPick: (teamId: string) => void;
  readonly onClose: () => void;
}

function TeamChoice({ teams, onPick, onClose }: TeamChoiceProps) {
  const [query, setQuery] = useState("");
  const choices = findBest(teams, query, ({ name }) => name, teams.length).map(({ id, name }) => ({
    key: id,
    label: name,
    lead: <Icon name="teams" className="size-4" />,
    onPick: () => onPick(id),
  }));
  return (
    <ChoiceDialog
      title="Load examples into a team"
      placeholder="Load examples into a team"
      query={query}
      onQuery={setQuery}
      groups={[{ name: "", choices }]}
      empty={"No matching teams."}
      onClose={onClose}
    />
  );
}
