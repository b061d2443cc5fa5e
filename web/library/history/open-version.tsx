// One version: what differs from the one before it or from the current one, and the way back to it.
import { useState } from "react";
import { callConsole, queryClient, type RowOf, useCustomMutation } from "../../api.ts";
import { Button } from "../../components/button.tsx";
import { classNames } from "../../components/class-names.ts";
import { useIsPhone } from "../../components/data-table.tsx";
import { formatSecond } from "../../components/format.ts";
import { SegmentedControl } from "../../components/segmented-control.tsx";
import { toast, toastError } from "../../components/toast.tsx";
import { readStored, writeStored } from "../../storage.ts";
import { useWorkspaceId } from "../../workspace.tsx";
import type { Variation } from "../data.ts";
import { languageOfType } from "../editor/languages.ts";
import { useLibrary } from "../library-context.tsx";
import { Comparison, endLine, type Layout, layouts } from "./comparison.tsx";

export type Version = RowOf<"getLibraryHistory">;

const layoutKey = "commonplace-comparison";
const layoutNames: Record<Layout, string> = { side: "Side by side", inline: "Inline" };
type Against = "before" | "current";

export function OpenVersion({
  version,
  before,
  current,
  loadBefore,
  variation,
  teamId,
  hasRestored,
  onRestored,
}: {
  version: Version;
  /** Undefined for the first one, and while it loads. */
  before: Version | undefined;
  current: Version | undefined;
  loadBefore: (() => void) | undefined;
  variation: Variation;
  teamId: string;
  /** A version was just restored, so the hint about restoring is hidden. */
  hasRestored: boolean;
  onRestored: () => void;
}) {
  const { mayWrite } = useLibrary();
  const isPhone = useIsPhone();
  const [layout, setLayout] = useState<Layout>(
    () => layouts.find((name) => name === readStored(layoutKey)) ?? (isPhone ? "inline" : "side"),
  );
  const [against, setAgainst] = useState<Against>("current");
  const restore = useRestore(variation, onRestored);
  const isAgainstCurrent = against === "current" && !version.is_current && current !== undefined;
  const [left, right] = isAgainstCurrent ? [version, current] : [before, version];
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      <div className="border-line bg-ground flex flex-wrap items-center gap-2 border-b px-3 py-2 md:px-5">
        {!version.is_current && (
          <div className="flex min-w-0 items-center gap-2 max-sm:w-full">
            <span aria-hidden="true" className="text-quiet text-[0.8125rem] whitespace-nowrap">
              Compare with
            </span>
            <SegmentedControl
              label="Compare with"
              value={against}
              onChange={setAgainst}
              options={[
                { value: "before", label: "Previous" },
                { value: "current", label: "Current" },
              ]}
            />
          </div>
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
        {version.is_current && before && !hasRestored && mayWrite(teamId) && (
          <p className="text-quiet ml-auto text-[0.8125rem]">Select an earlier version to restore it.</p>
        )}
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
  // Lines are compared, and how the last one ends is said in words.
  const [before, after] = [left && endLine(left.content), endLine(right.content)];
  const sides = before === after ? "inline" : layout;
  const unended = left && unendedOf([left, right]);
  return (
    <>
      {left === undefined && <p className="text-quiet px-3 pt-3 md:px-5">This is the first version.</p>}
      {left && left.content_type !== right.content_type && (
        <p className="text-quiet px-3 pt-3 md:px-5">
          Language: {nameOfType(left.content_type)} → {nameOfType(right.content_type)}
        </p>
      )}
      {isSameText && left.content_type === right.content_type && (
        <p className="text-quiet px-3 pt-3 md:px-5">Both versions are the same.</p>
      )}
      {unended && <p className="text-quiet px-3 pt-3 md:px-5">No newline at the end: {nameOfVersion(unended)}</p>}
      <Headings left={left} right={right} isSideBySide={left !== undefined && sides === "side"} />
      <Comparison
        key={`${left?.id} ${right.id}`}
        before={left && { label: nameOfVersion(left), text: left.content }}
        after={{ label: nameOfVersion(right), text: right.content }}
        contentType={right.content_type}
        layout={sides}
      />
    </>
  );
}

/** The version whose last line has no end, if that of the other one has. */
function unendedOf(versions: readonly Version[]): Version | undefined {
  const [first, ...others] = versions.filter(({ content }) => endLine(content) !== content);
  return others.length === 0 && versions.every(({ content }) => content !== "") ? first : undefined;
}

/** Which version is on which side. */
function Headings({ left, right, isSideBySide }: { left: Version | undefined; right: Version; isSideBySide: boolean }) {
  return (
    <div
      className={classNames(
        "border-line text-quiet sticky top-0 z-10 grid gap-x-4 border-b bg-surface px-3 py-1.5 text-[0.8125rem] font-medium",
        isSideBySide && "grid-cols-2",
      )}
    >
      {left && (
        <p>
          <span aria-hidden="true" className="text-danger">
            −{" "}
          </span>
          {nameOfVersion(left)}
        </p>
      )}
      <p>
        {left && (
          <span aria-hidden="true" className="text-good">
            +{" "}
          </span>
        )}
        {nameOfVersion(right)}
      </p>
    </div>
  );
}

const nameOfVersion = ({ is_current, changed_at }: Version): string =>
  is_current ? "Current version" : `Version from ${formatSecond(changed_at)}`;

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
