// The versions of a snippet's variations: who wrote what, what changed, and back to an earlier one.
import { type KeyboardEvent, useState } from "react";
import { useConsolePages } from "../../api.ts";
import { IconButton } from "../../components/button.tsx";
import { classNames } from "../../components/class-names.ts";
import { Select } from "../../components/field.tsx";
import { Icon } from "../../components/icons.tsx";
import { Badge, useTitle } from "../../components/layout.tsx";
import { Pager } from "../../components/pager.tsx";
import { ErrorState, Loading, Skeleton } from "../../components/states.tsx";
import { Time } from "../../components/time.tsx";
import type { Snippet, Variation } from "../data.ts";
import { useLibrary } from "../library-context.tsx";
import { initialNameOfAuthor } from "../names.ts";
import { useKeys } from "../use-keys.ts";
import { OpenVersion, type Version } from "./open-version.tsx";

export interface HistoryProps {
  readonly snippet: Snippet;
  /** Back to reading. */
  readonly onClose: () => void;
}

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
          <span className="text-quiet font-normal">History of </span>
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
  const [hasRestored, setHasRestored] = useState(false);
  const { rows, error, refetch } = pages;
  const index = Math.max(0, rows?.findIndex(({ id }) => id === openId) ?? 0);
  const open = rows?.[index];
  const step = (by: number) => () => setOpenId(rows?.[index + by]?.id ?? open?.id);
  useKeys({ next: step(1), previous: step(-1) });
  if (!rows && error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!rows)
    return (
      <div className="p-6">
        <Loading label="Loading history">
          <Skeleton lines={4} />
        </Loading>
      </div>
    );
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
            hasRestored={hasRestored}
            onRestored={() => {
              setOpenId(undefined);
              setHasRestored(true);
            }}
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
            <Time at={version.changed_at} part="second" className="font-medium" />
            <span className="text-quiet min-w-0 flex-1 basis-24 truncate text-[0.8125rem]">
              <bdi>{initialNameOfAuthor(version.changed_by)}</bdi>
              {version.changed_by.kind === "key" && version.changed_by.name !== null && " (API key)"}
            </span>
            {version.is_current && <Badge tone="good">Current</Badge>}
          </button>
        </li>
      ))}
    </ol>
  );
}
