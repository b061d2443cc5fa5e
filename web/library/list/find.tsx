// The field that filters the list as one types. The arrows move through the list meanwhile, and Enter opens.
import type { KeyboardEvent, Ref } from "react";
import { Icon } from "../../components/icons.tsx";
import { KeyCap } from "../key-cap.tsx";
import { listId, rowId } from "./list.tsx";
import type { Cursor } from "./use-cursor.ts";
import type { Find } from "./use-find.ts";

interface FindFieldProps {
  readonly find: Find;
  readonly cursor: Cursor;
  readonly ref: Ref<HTMLInputElement>;
  readonly onOpen: () => void;
  readonly onCopy: () => void;
  /** Leaves the field. */
  readonly onLeave: () => void;
}

export function FindField({ find, cursor, ref, onOpen, onCopy, onLeave }: FindFieldProps) {
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const acts: Readonly<Record<string, () => void>> = {
      ArrowDown: () => cursor.moveTo(cursor.index + 1),
      ArrowUp: () => cursor.moveTo(cursor.index - 1),
      Enter: event.ctrlKey || event.metaKey ? onCopy : onOpen,
      Escape: () => (find.text === "" ? onLeave() : find.setText("")),
    };
    const act = acts[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  };
  return (
    <div className="relative min-w-0 flex-1">
      <Icon
        name="search"
        className="text-quiet pointer-events-none absolute top-1/2 left-2.5 size-4.5 -translate-y-1/2"
      />
      <input
        ref={ref}
        dir="auto"
        type="text"
        role="combobox"
        aria-label="Find snippets"
        aria-expanded="true"
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={cursor.row && rowId(cursor.row.id)}
        aria-keyshortcuts="/"
        placeholder="Find snippets"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        enterKeyHint="search"
        value={find.text}
        onChange={(event) => find.setText(event.target.value)}
        onKeyDown={press}
        className="bg-sunken placeholder:text-quiet focus:bg-surface focus:border-accent min-h-11 w-full min-w-0 rounded-md border border-transparent pr-9 pl-9 text-base outline-none md:min-h-9 md:text-sm"
      />
      {find.text === "" ? (
        <KeyCap
          of="/"
          isHint
          className="pointer-events-none absolute top-1/2 right-2.5 max-lg:hidden -translate-y-1/2"
        />
      ) : (
        <button
          type="button"
          aria-label="Clear"
          onClick={() => {
            find.setText("");
            onLeave();
          }}
          className="text-quiet hover:text-text absolute inset-y-0 right-0 grid w-9 place-items-center"
        >
          <Icon name="close" className="size-3.5" />
        </button>
      )}
    </div>
  );
}
