// The versions of a snippet's variations: who wrote what, what changed, and back to an earlier one.
import { type KeyboardEvent, useState } from "react";
import { callConsole, queryClient, type RowOf, useConsolePages, useCustomMutation } from "../../api.ts";
import { Button, IconButton } from "../../components/button.tsx";
import { classNames } from "../../components/class-names.ts";
import { useIsPhone } from "../../components/data-table.tsx";
import { Select } from "../../components/field.tsx";
import { Icon } from "../../components/icons.tsx";
import { Badge, useTitle } from "../../components/layout.tsx";
import { Pager } from "../../components/pager.tsx";
import { SegmentedControl } from "../../components/segmented-control.tsx";
import { ErrorState, Loading, Skeleton } from "../../components/states.tsx";
import { Time } from "../../components/time.tsx";
import { toast, toastError } from "../../components/toast.tsx";
import { readStored, writeStored } from "../../storage.ts";
import { useWorkspaceId } from "../../workspace.tsx";
import type { Snippet, Variation } from "../data.ts";
import { languageOfType } from "../editor/languages.ts";
import { useLibrary } from "../library-context.tsx";
import { nameOfAuthor } from "../names.ts";
import { useKeys } from "../use-keys.ts";
import { Comparison, type Layout, layouts } from "./comparison.tsx";

export interface HistoryProps {
  readonly snippet: Snippet;
  /** Back to reading. */
  readonly onClose: () => void;
}

type Version = RowOf<"getLibraryHistory">;

export default function History({ snippet, onClose }: HistoryProps) {
  const { view, change } = useLibrary();
  const { title, variations } = snippet;
  const variation = variations.find(({ id }) => id === view.variationId) ?? variations[0];
  useTitle(`History of ${title}`);
  useKeys({ back: onClose });
  return (
    <section aria-labelledby="history-title" className="flex min-h-0 flex-1 flex-col">
      <div className="border-line flex min-w-0 items-center gap-2 border-b px-3 py-2 md:px-6">
        <IconButton label="Go back" onClick={onClose} className="md:-ml-2">
          <Icon name="back" />
        </IconButton>
        <h2 id="history-title" className="min-w-0 flex-1 truncate font-semibold" title={title}>
          <span className="sr-only">History of </span>
          <bdi>{title}</bdi>
        </h2>
        {variations.length > 1 && (
          <Select
            aria-label="Variation"
            value={variation?.id}
            onChange={({ target }) =>
              change({ variationId: target.value === variations[0]?.id ? undefined : target.value }, "replace")
            }
            className="w-40 shrink"
          >
            {variations.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        )}
      </div>
      {variation && <Versions key={variation.id} variation={variation} teamId={snippet.team_id} />}
    </section>
  );
}

function Versions({ variation, teamId }: { variation: Variation; teamId: string }) {
  const pages = useConsolePages("getLibraryHistory", { query: { variationId: variation.id } });
  const [openId, setOpenId] = useState<string>();
  const { rows, error, refetch } = pages;
  if (!rows && error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!rows)
    return (
      <div className="p-6">
        <Loading label="History: loading">
          <Skeleton lines={4} />
        </Loading>
      </div>
    );
  const index = Math.max(
    0,
    rows.findIndex(({ id }) => id === openId),
  );
  const open = rows[index];
  return (
    <div className="@container flex min-h-0 flex-1 flex-col">
      <div className="flex min-h-0 flex-1 flex-col @4xl:flex-row">
        <div className="border-line max-h-[30%] shrink-0 overflow-y-auto border-b @4xl:max-h-none @4xl:w-64 @4xl:border-r @4xl:border-b-0">
          <VersionList rows={rows} openId={open?.id} onOpen={setOpenId} />
          {pages.hasNextPage && <Pager pages={pages} noun="version" />}
        </div>
        {open && (
          <OpenVersion
            version={open}
            before={rows[index + 1]}
            current={rows[0]}
            loadBefore={
              rows[index + 1] === undefined && pages.hasNextPage ? () => void pages.fetchNextPage() : undefined
            }
            variation={variation}
            teamId={teamId}
            onRestored={() => setOpenId(undefined)}
          />
        )}
      </div>
    </div>
  );
}

function VersionList({
  rows,
  openId,
  onOpen,
}: {
  rows: readonly Version[];
  openId: string | undefined;
  onOpen: (id: string) => void;
}) {
  const press = (event: KeyboardEvent<HTMLOListElement>) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const buttons = [...event.currentTarget.querySelectorAll("button")];
    const next = buttons[buttons.findIndex((button) => button.matches(":focus")) + step];
    next?.focus();
    next?.click();
  };
  return (
    <ol aria-label="Versions" onKeyDown={press}>
      {rows.map((version) => (
        <li key={version.id}>
          <button
            type="button"
            aria-current={version.id === openId ? "true" : undefined}
            onClick={() => onOpen(version.id)}
            className={classNames(
              "border-line hover:bg-hover flex min-h-11 w-full min-w-0 flex-wrap items-center gap-x-3 gap-y-0.5 border-b border-l-3 px-3 py-1.5 text-left -outline-offset-2 md:px-5",
              version.id === openId ? "bg-accent-soft border-l-accent" : "border-l-transparent",
            )}
          >
            <Time at={version.changed_at} className="font-medium" />
            <span className="text-quiet min-w-0 flex-1 basis-24 truncate text-[0.8125rem]">
              <bdi>{nameOfAuthor(version.changed_by)}</bdi>
              {version.changed_by.kind === "key" && version.changed_by.name !== null && " (API key)"}
            </span>
            {version.is_current && <Badge tone="good">Current</Badge>}
          </button>
        </li>
      ))}
    </ol>
  );
}

const layoutKey = "commonplace-comparison";
const layoutNames: Record<Layout, string> = { side: "Side by side", inline: "Inline" };
type Against = "before" | "current";

function OpenVersion({
  version,
  before,
  current,
  loadBefore,
  variation,
  teamId,
  onRestored,
}: {
  version: Version;
  /** Undefined for the first one, and while it loads. */
  before: Version | undefined;
  current: Version | undefined;
  loadBefore: (() => void) | undefined;
  variation: Variation;
  teamId: string;
  onRestored: () => void;
}) {
  const { mayWrite } = useLibrary();
  const isPhone = useIsPhone();
  const [layout, setLayout] = useState<Layout>(
    () => layouts.find((name) => name === readStored(layoutKey)) ?? (isPhone ? "inline" : "side"),
  );
  const [against, setAgainst] = useState<Against>("before");
  const restore = useRestore(variation, onRestored);
  const isAgainstCurrent = against === "current" && !version.is_current && current !== undefined;
  const [left, right] = isAgainstCurrent ? [version, current] : [before, version];
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      <div className="border-line bg-ground flex flex-wrap items-center gap-2 border-b px-3 py-2 md:px-5">
        {!version.is_current && (
          <SegmentedControl
            label="Changes"
            value={against}
            onChange={setAgainst}
            options={[
              { value: "before", label: "In this version" },
              { value: "current", label: "Since this version" },
            ]}
          />
        )}
        <SegmentedControl
          label="Layout"
          value={layout}
          onChange={(next) => {
            setLayout(next);
            writeStored(layoutKey, next);
          }}
          options={layouts.map((value) => ({ value, label: layoutNames[value] }))}
        />
        {!version.is_current && mayWrite(teamId) && (
          <Button
            size="small"
            variant="primary"
            isBusy={restore.isPending}
            onClick={() => restore.mutate(version, { onError: toastError })}
            className="ml-auto"
          >
            Restore this version
          </Button>
        )}
      </div>
      {loadBefore && !isAgainstCurrent ? (
        <div className="grid justify-items-start gap-2 p-5">
          <p className="text-quiet">The previous version isn’t loaded yet.</p>
          <Button size="small" onClick={loadBefore}>
            Load it
          </Button>
        </div>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
        <section aria-label="Comparison" tabIndex={0} className="min-h-0 flex-1 overflow-y-auto -outline-offset-2">
          <Changes left={left} right={right} layout={layout} />
        </section>
      )}
    </div>
  );
}

function Changes({ left, right, layout }: { left: Version | undefined; right: Version | undefined; layout: Layout }) {
  if (!right) return null;
  const isSameText = left?.content === right.content;
  return (
    <>
      {left === undefined && <p className="text-quiet px-3 pt-3 md:px-5">This is the first version.</p>}
      {left && left.content_type !== right.content_type && (
        <p className="text-quiet px-3 pt-3 md:px-5">
          Language: {nameOfType(left.content_type)} → {nameOfType(right.content_type)}
        </p>
      )}
      {isSameText && left.content_type === right.content_type && (
        <p className="text-quiet px-3 pt-3 md:px-5">Both texts are the same.</p>
      )}
      <Comparison
        key={`${left?.id} ${right.id}`}
        before={left && { label: "Before", text: left.content }}
        after={{ label: "After", text: right.content }}
        contentType={right.content_type}
        layout={isSameText ? "inline" : layout}
      />
    </>
  );
}

const nameOfType = (contentType: string): string => languageOfType(contentType)?.name ?? contentType;

/** Writes a former version again, as a new one: the history keeps everything. */
function useRestore({ id, state }: Variation, onRestored: () => void) {
  const workspaceId = useWorkspaceId();
  return useCustomMutation(
    ({ content_type, content }: Version) =>
      callConsole("putLibrarySnippetVariation", {
        query: { variationId: id, ifState: state },
        body: { content: { type: content_type, content } },
        workspaceId,
      }).catch((error: unknown) => {
        // The page shows the version that somebody else has just written.
        void queryClient.invalidateQueries();
        throw error;
      }),
    () => {
      toast("Version restored");
      onRestored();
    },
  );
}
