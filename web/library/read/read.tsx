// The right pane: the open snippet to read and to copy.

import { type ReactNode, useRef, useState } from "react";
import { shownNote, toolOfNote } from "../../../src/library/formats/tool-block.ts";
import { Button, IconButton } from "../../components/button.tsx";
import { classNames } from "../../components/class-names.ts";
import { Icon } from "../../components/icons.tsx";
import { Badge, useTitle } from "../../components/layout.tsx";
import { Menu, type MenuItem } from "../../components/menu.tsx";
import type { Copying, CopyWhat } from "../copy/use-copy.ts";
import type { Snippet } from "../data.ts";
import { directionOf } from "../direction.ts";
import { DraftNotice } from "../editor/draft-notice.tsx";
import { KeyCap } from "../key-cap.tsx";
import { useLibrary } from "../library-context.tsx";
import { searched, useMarks } from "../marks/use-marks.ts";
import { VariationsDialog } from "../parts.tsx";
import { useOrganize } from "../selection/use-organize.tsx";
import { useKeys } from "../use-keys.ts";
import { People, Places } from "./details.tsx";
import { panelId, VariationTabs } from "./tabs.tsx";
import { SnippetText } from "./text.tsx";
import { VariationContent } from "./variation-content.tsx";

interface ReadProps {
  readonly snippet: Snippet;
  /** Another snippet is on its way. */
  readonly isStale: boolean;
  readonly copying: Copying;
  /** Back to the list; undefined where that is beside this pane. */
  readonly onBack: (() => void) | undefined;
  /** The keys are to act on this snippet, not on a row of the list. */
  readonly onFocus: () => void;
  /** The snippet is about to be deleted. */
  readonly onRemoved: (snippet: Snippet) => void;
}

export function ReadPane({ snippet, isStale, copying, onBack, onFocus, onRemoved }: ReadProps) {
  const { view, change, mayWrite, tree } = useLibrary();
  const hasOtherTeams = tree?.teams.some(({ id, may_write }) => may_write && id !== snippet.team_id);
  useTitle(snippet.title);
  const article = useRef<HTMLElement>(null);
  useMarks(article, view.query);
  const { id, title, variations } = snippet;
  const variation = variations.find((candidate) => candidate.id === view.variationId) ?? variations[0];
  const openVariation = (next: string) =>
    change({ variationId: next === variations[0]?.id ? undefined : next }, "replace");
  const step = (by: number) => () => {
    const next = variation && variations[variations.indexOf(variation) + by];
    if (next) openVariation(next.id);
  };
  const mayEdit = mayWrite(snippet.team_id);
  const [isChangingVariations, setIsChangingVariations] = useState(false);
  const organize = useOrganize([snippet], (what) => what === "remove" && onRemoved(snippet));
  const { move, tag, archive, remove } = organize;
  useKeys({
    nextVariation: step(1),
    previousVariation: step(-1),
    edit: mayEdit ? () => change({ mode: "edit" }) : undefined,
    history: () => change({ mode: "history" }),
    // Beside a list, these keys act on what is chosen there.
    ...(mayEdit && view.shelf === "activity" && { move, tag, archive, remove }),
  });
  const copy = (what: CopyWhat) => () =>
    variation && copying.copy(what, { snippetId: id, variationId: variation.id, contentType: variation.content_type });
  const note = shownNote(snippet.snippet_note ?? "");
  const tool = toolOfNote(snippet.snippet_note ?? "");
  const items: readonly (MenuItem | "separator")[] = [
    { label: "Copy as is", onSelect: copy("raw") },
    { label: "Copy as Markdown", onSelect: copy("markdown") },
    { label: "Copy link", onSelect: copy("link") },
    { label: "Copy curl command", onSelect: copy("curl") },
    { label: "Copy ID", onSelect: copy("id") },
    "separator",
    { label: "Show history", onSelect: () => change({ mode: "history" }) },
    ...(mayEdit
      ? ([
          { label: "Edit variations", onSelect: () => setIsChangingVariations(true) },
          "separator",
          { label: "Duplicate", onSelect: organize.duplicate },
          { label: hasOtherTeams ? "Move to folder or team" : "Move to folder", onSelect: organize.move },
          { label: "Add or remove a tag", onSelect: organize.tag },
          { label: organize.isArchived ? "Unarchive" : "Archive", onSelect: organize.archive },
          { label: "Delete", tone: "danger", onSelect: organize.remove },
        ] as const)
      : []),
  ];
  return (
    <article
      ref={article}
      aria-labelledby="snippet-title"
      aria-busy={isStale || undefined}
      onFocus={onFocus}
      className={classNames("flex min-h-0 flex-1 flex-col", isStale && "opacity-60")}
    >
      <div className="mx-auto flex w-full max-w-6xl items-center gap-1.5 px-3 pt-3 pb-2 md:px-6">
        {onBack && (
          <IconButton label="Back to the list" onClick={onBack}>
            <Icon name="back" />
          </IconButton>
        )}
        <div className="ml-auto flex items-center gap-1.5">
          {mayEdit && (
            <Button variant="quiet" size="small" aria-keyshortcuts="e" onClick={() => change({ mode: "edit" })}>
              Edit
              <KeyCap of="e" isHint className="max-lg:hidden" />
            </Button>
          )}
          <CopyTextButton key={id} copying={copying} snippetId={id} onClick={copy("text")} />
          <Menu label={`More actions for ${title}`} items={items} />
          {organize.dialog}
          {isChangingVariations && (
            <VariationsDialog snippet={snippet} onClose={() => setIsChangingVariations(false)} />
          )}
        </div>
      </div>
      <Scroller>
        <div className="mx-auto grid max-w-6xl content-start gap-x-8 gap-y-4 px-4 pt-1 pb-10 md:px-6 @[52rem]:grid-cols-[minmax(0,1fr)_13rem]">
          <div className="grid min-w-0 content-start gap-4">
            <header className="grid gap-2">
              <h2
                id="snippet-title"
                dir={directionOf(title)}
                className="text-xl font-semibold tracking-tight wrap-anywhere"
              >
                <bdi {...searched("name")}>{title}</bdi>
                {snippet.is_archived && (
                  <span className="ml-2 align-middle">
                    <Badge>Archived</Badge>
                  </span>
                )}
              </h2>
              <Places snippet={snippet} />
            </header>
            {mayEdit && <DraftNotice key={id} snippetId={id} />}
            {note !== "" && (
              <aside
                aria-label="Note"
                dir="auto"
                {...searched("text")}
                className="border-line bg-ground text-quiet rounded-md border px-3.5 py-2.5 wrap-anywhere whitespace-pre-wrap [unicode-bidi:plaintext]"
              >
                {note}
              </aside>
            )}
            {tool !== undefined && (
              <p className="text-quiet text-xs">
                The note {note === "" ? "contains" : "also contains"} settings for {tool}.
              </p>
            )}
            {variation && (
              <div className="grid min-w-0 gap-4">
                <VariationTabs variations={variations} openId={variation.id} onOpen={openVariation} />
                <div
                  {...(variations.length > 1 && {
                    role: "tabpanel",
                    id: panelId,
                    "aria-labelledby": `variation-${variation.id}`,
                  })}
                >
                  <VariationContent key={variation.id} variation={variation}>
                    {(text) => <SnippetText text={text} contentType={variation.content_type} />}
                  </VariationContent>
                </div>
              </div>
            )}
          </div>
          <People snippet={snippet} />
        </div>
      </Scroller>
    </article>
  );
}

const Scroller = ({ children }: { children: ReactNode }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
  <section aria-label="Text" tabIndex={0} className="@container min-h-0 flex-1 overflow-y-auto -outline-offset-2">
    {children}
  </section>
);

/** Says for two seconds that it has copied, also where a key did. */
function CopyTextButton({
  copying: { copied },
  snippetId,
  onClick,
}: {
  copying: Copying;
  snippetId: string;
  onClick: () => void;
}) {
  const isOwn = copied?.snippetId === snippetId;
  return (
    <Button variant="primary" size="small" aria-keyshortcuts="c" onClick={onClick} className="relative">
      <Icon name="copy" className="size-4" />
      Copy
      <KeyCap of="c" isHint className="max-lg:hidden" />
      {isOwn && (
        <span
          key={copied.count}
          aria-hidden="true"
          className="bg-accent animate-confirm pointer-events-none absolute inset-0 flex items-center justify-center gap-2 rounded-md opacity-0"
        >
          <Icon name="check" className="size-4" />
          Copied
        </span>
      )}
    </Button>
  );
}

/** Nothing is open. */
export function NothingOpen({ isListEmpty }: { isListEmpty: boolean }) {
  const { tree } = useLibrary();
  const hasSnippets = tree?.teams.some(({ snippet_count }) => snippet_count > 0);
  return (
    <div className="text-quiet grid flex-1 place-content-center justify-items-center gap-4 p-6 text-center">
      <Icon name="library" className="text-edge size-8" />
      {hasSnippets && !isListEmpty && <p>Select a snippet to read it.</p>}
      <ul className="hidden gap-2 text-xs lg:grid">
        {(
          [
            ["/", "find"],
            ["j", "next"],
            ["c", "copy"],
            ["?", "keyboard shortcuts"],
          ] as const
        ).map(([key, what]) => (
          <li key={key} className="grid grid-cols-[2rem_1fr] items-center gap-2 text-left">
            <KeyCap of={key} className="justify-self-end" />
            {what}
          </li>
        ))}
      </ul>
    </div>
  );
}
