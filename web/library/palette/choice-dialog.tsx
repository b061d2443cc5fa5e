// A dialog to choose by typing: the palette, and where something is moved or tagged. The focus stays in the field; the arrows move through the
// choices, as a combobox does.
import { Dialog as Primitive } from "radix-ui";
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import type { SearchQuery } from "../../../src/library/search/pieces.ts";
import { classNames } from "../../components/class-names.ts";
import { Icon } from "../../components/icons.tsx";
import { Marked } from "../marks/marked.tsx";
import { useSearchQuery } from "../marks/places.ts";

export interface Choice {
  readonly key: string;
  readonly label: string;
  /** Where it is, such as the folders around a folder. */
  readonly detail?: string | undefined;
  /** An icon or a color. */
  readonly lead?: ReactNode;
  /** At the end of the row, such as a key. */
  readonly trail?: ReactNode;
  /** The state of a choice that can be on or off. */
  readonly isChecked?: boolean | undefined;
  readonly onPick: () => void;
}

export interface ChoiceGroup {
  /** Empty for the only one. */
  readonly name: string;
  readonly choices: readonly Choice[];
}

interface ChoiceDialogProps {
  /** The accessible name. */
  readonly title: string;
  /** Shown in the field as long as it is empty. */
  readonly placeholder: string;
  readonly query: string;
  readonly onQuery: (typed: string) => void;
  readonly groups: readonly ChoiceGroup[];
  /** Shown without choices. */
  readonly empty: string;
  /** More choices are on their way. */
  readonly isBusy?: boolean;
  /** Not on a phone. */
  readonly footer?: ReactNode;
  /** @param picked undefined if nothing was chosen */
  readonly onClose: (picked?: Choice) => void;
}

export function ChoiceDialog({
  title,
  placeholder,
  query,
  onQuery,
  groups,
  empty,
  isBusy = false,
  footer,
  onClose,
}: ChoiceDialogProps) {
  const id = useId();
  const pieces = useSearchQuery(query);
  const opener = useRef(document.activeElement);
  const picked = useRef<Choice>(undefined);
  const choices = groups.flatMap((group) => group.choices);
  const [activeKey, setActiveKey] = useState<string>();
  const found = choices.findIndex(({ key }) => key === activeKey);
  const index = Math.max(0, found);
  const active = choices[index];
  const rowId = (key: string) => `${id}-${key}`;
  const activeId = active && rowId(active.key);

  useEffect(() => {
    if (activeId !== undefined) document.getElementById(activeId)?.scrollIntoView({ block: "nearest" });
  }, [activeId]);

  /** Picked once the dialog is gone and the focus is back, so that what opens next returns it to the same place. */
  const pick = (choice: Choice) => {
    picked.current = choice;
    onClose(choice);
  };
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: index + 1 === choices.length ? 0 : index + 1,
      ArrowUp: index === 0 ? choices.length - 1 : index - 1,
      PageDown: Math.min(choices.length - 1, index + 8),
      PageUp: Math.max(0, index - 8),
    };
    const next = moves[event.key];
    if (next !== undefined) setActiveKey(choices[next]?.key);
    else if (event.key === "Enter" && active) pick(active);
    else return;
    event.preventDefault();
  };

  return (
    <Primitive.Root open onOpenChange={() => onClose()}>
      <Primitive.Portal>
        <Primitive.Overlay className="bg-veil animate-appear fixed inset-0 z-40" />
        <Primitive.Content
          aria-describedby={undefined}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (opener.current instanceof HTMLElement && opener.current.isConnected) opener.current.focus();
            picked.current?.onPick();
          }}
          className="bg-surface text-text border-line shadow-high animate-appear fixed inset-x-3 top-3 z-50 mx-auto flex max-h-[min(34rem,calc(100dvh-1.5rem-var(--keyboard)))] max-w-xl flex-col overflow-hidden rounded-xl border sm:top-[12vh]"
        >
          <Primitive.Title className="sr-only">{title}</Primitive.Title>
          <div className="border-line relative flex items-center border-b">
            <Icon name="search" className="text-quiet pointer-events-none absolute left-4 size-5" />
            <input
              dir="auto"
              type="text"
              role="combobox"
              aria-label={title}
              aria-expanded="true"
              aria-controls={`${id}-list`}
              aria-autocomplete="list"
              aria-activedescendant={activeId}
              placeholder={placeholder}
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
              maxLength={200}
              value={query}
              onChange={(event) => {
                setActiveKey(undefined);
                onQuery(event.target.value);
              }}
              onKeyDown={press}
              className="min-h-13 w-full min-w-0 bg-transparent pr-12 pl-12 text-base outline-none"
            />
            <Primitive.Close
              aria-label="Close"
              className="text-quiet hover:bg-hover hover:text-text absolute right-1 grid size-11 place-items-center rounded-md sm:right-2.5 sm:size-8"
            >
              <Icon name="close" className="size-4" />
            </Primitive.Close>
          </div>
          <div
            id={`${id}-list`}
            role="listbox"
            aria-label={title}
            aria-busy={isBusy || undefined}
            className="min-h-0 flex-1 overflow-y-auto p-1.5 empty:hidden"
          >
            {groups
              .filter((group) => group.choices.length > 0)
              .map((group) => (
                // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a listbox
                <div key={group.name} role="group" aria-label={group.name || title}>
                  {group.name !== "" && (
                    <p aria-hidden="true" className="text-quiet px-2.5 pt-2 pb-1 text-xs font-medium">
                      {group.name}
                    </p>
                  )}
                  {group.choices.map((choice) => (
                    <ChoiceRow
                      key={choice.key}
                      id={rowId(choice.key)}
                      choice={choice}
                      query={pieces}
                      isActive={choice === active}
                      onPoint={() => setActiveKey(choice.key)}
                      onPick={() => pick(choice)}
                    />
                  ))}
                </div>
              ))}
          </div>
          <p role="status" className={choices.length > 0 || isBusy ? "sr-only" : "text-quiet px-4 py-6 text-center"}>
            {choices.length > 0 ? `${choices.length} ${choices.length === 1 ? "result" : "results"}` : !isBusy && empty}
          </p>
          {footer && <div className="border-line text-quiet hidden border-t px-4 py-2 text-xs sm:block">{footer}</div>}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

interface ChoiceRowProps {
  readonly id: string;
  readonly choice: Choice;
  /** What it finds is marked. */
  readonly query: SearchQuery;
  readonly isActive: boolean;
  readonly onPoint: () => void;
  readonly onPick: () => void;
}

const ChoiceRow = ({ id, choice, query, isActive, onPoint, onPick }: ChoiceRowProps) => (
  // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
  <div
    id={id}
    role="option"
    tabIndex={-1}
    aria-selected={isActive}
    aria-checked={choice.isChecked}
    // The focus stays in the field.
    onMouseDown={(event) => event.preventDefault()}
    onPointerMove={isActive ? undefined : onPoint}
    onClick={onPick}
    className={classNames(
      "flex min-h-11 cursor-pointer items-center gap-2.5 rounded-md px-2.5 py-1.5 sm:min-h-9",
      isActive && "bg-hover",
    )}
  >
    {choice.lead && <span className="text-quiet grid w-5 shrink-0 place-items-center">{choice.lead}</span>}
    <span className="flex min-w-0 flex-1 items-baseline gap-2">
      <bdi className="truncate">
        <Marked what="name" text={choice.label} query={query} />
      </bdi>
      {choice.detail !== undefined && choice.detail !== "" && (
        <span className="text-quiet min-w-0 flex-1 basis-1/3 truncate text-xs">
          <Marked what="text" text={choice.detail} query={query} />
        </span>
      )}
    </span>
    {choice.trail}
    {choice.isChecked && <Icon name="check" className="text-accent size-4" />}
  </div>
);
