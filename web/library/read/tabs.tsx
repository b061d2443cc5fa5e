// The variations of a snippet as tabs. A list beside them reaches each of a hundred.
import { type KeyboardEvent, useEffect, useRef } from "react";
import { classNames } from "../../components/class-names.ts";
import type { Variation } from "../data.ts";

export const panelId = "variation-text";
const tabId = (id: string) => `variation-${id}`;
/** More tabs get a list beside them. */
const tabsMax = 6;

interface TabsProps {
  readonly variations: readonly Variation[];
  readonly openId: string;
  readonly onOpen: (id: string) => void;
  /** What is below has a line at its upper end. */
  readonly isOnLine?: boolean;
}

export function VariationTabs({ variations, openId, onOpen, isOnLine = false }: TabsProps) {
  const bar = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const tab = bar.current?.querySelector(`#${CSS.escape(tabId(openId))}`);
    tab?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [openId]);
  if (variations.length < 2) return null;
  const press = (event: KeyboardEvent) => {
    const index = variations.findIndex(({ id }) => id === openId);
    const targets: Readonly<Record<string, number>> = {
      ArrowLeft: Math.max(0, index - 1),
      ArrowRight: Math.min(variations.length - 1, index + 1),
      Home: 0,
      End: variations.length - 1,
    };
    const target = variations[targets[event.key] ?? -1];
    if (!target) return;
    event.preventDefault();
    onOpen(target.id);
    document.getElementById(tabId(target.id))?.focus();
  };
  return (
    <div className={classNames("flex min-w-0 items-end gap-3", !isOnLine && "border-line border-b")}>
      <div
        ref={bar}
        role="tablist"
        aria-label="Variations"
        onKeyDown={press}
        // The mark of the open tab lies on the line.
        className="relative z-10 -mb-px flex min-w-0 flex-1 gap-1 overflow-x-auto [scrollbar-width:none]"
      >
        {variations.map(({ id, name }) => (
          <button
            key={id}
            id={tabId(id)}
            type="button"
            role="tab"
            aria-selected={id === openId}
            aria-controls={panelId}
            tabIndex={id === openId ? 0 : -1}
            onClick={() => onOpen(id)}
            title={name}
            className={classNames(
              "max-w-48 min-h-11 shrink-0 truncate border-b-2 px-2.5 font-medium -outline-offset-2 md:min-h-9",
              id === openId ? "border-accent text-text" : "text-quiet hover:text-text border-transparent",
            )}
          >
            {name}
          </button>
        ))}
      </div>
      {variations.length > tabsMax && (
        <select
          aria-label={`All ${variations.length} variations`}
          value={openId}
          onChange={({ target }) => onOpen(target.value)}
          className="border-edge/60 bg-surface mb-1.5 min-h-9 max-w-32 shrink-0 rounded-md border px-2 text-xs md:min-h-7"
        >
          {variations.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      )}
    </div>
  );
}
