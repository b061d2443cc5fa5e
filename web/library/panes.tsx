// Three panes side by side, whose widths one can change; fewer in a narrow window, one on a phone.
import {
  type CSSProperties,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useRef,
  useSyncExternalStore,
} from "react";
import { classNames } from "../components/class-names.ts";
import { readStored, writeStored } from "../storage.ts";
import { createStore, useStore } from "../store.ts";

const threePanes = matchMedia("(min-width: 1080px)");
const twoPanes = matchMedia("(min-width: 768px)");
const subscribe = (listener: () => void) => {
  for (const query of [threePanes, twoPanes]) query.addEventListener("change", listener);
  return () => {
    for (const query of [threePanes, twoPanes]) query.removeEventListener("change", listener);
  };
};

/** How many panes fit side by side. */
export const usePaneCount = (): 1 | 2 | 3 =>
  useSyncExternalStore(subscribe, () => (threePanes.matches ? 3 : twoPanes.matches ? 2 : 1));

export type PaneName = "left" | "middle" | "right";
type Sized = Exclude<PaneName, "right">;

/** In pixels. */
const bounds = { left: { min: 170, max: 420 }, middle: { min: 260, max: 640 } } as const satisfies Record<
  Sized,
  object
>;
const storageKey = (name: Sized) => `commonplace-library-${name}`;
const storedWidth = (name: Sized): number | undefined => Number(readStored(storageKey(name))) || undefined;
const widths = {
  left: createStore(storedWidth("left")),
  middle: createStore(storedWidth("middle")),
} as const;

/** @param width undefined for the one that the style sheet gives */
function setWidth(name: Sized, width: number | undefined): void {
  const { min, max } = bounds[name];
  const within = width === undefined ? undefined : Math.round(Math.min(max, Math.max(min, width)));
  widths[name].set(within);
  writeStored(storageKey(name), within === undefined ? null : String(within));
}

const sides: Record<PaneName, string> = {
  left: "bg-ground w-[var(--left,clamp(13rem,18vw,20rem))]",
  middle: "bg-surface w-[var(--middle,clamp(18.5rem,26vw,30rem))]",
  right: "bg-surface",
};

interface PanesProps {
  /** The panes that are shown; the others keep their place in their lists. */
  readonly shown: ReadonlySet<PaneName>;
  readonly panes: Readonly<Record<PaneName, { readonly label: string; readonly content: ReactNode }>>;
}

export function Panes({ shown, panes }: PanesProps) {
  const [left, middle] = [useStore(widths.left), useStore(widths.middle)];
  const style = {
    ...(left !== undefined && { "--left": `${left}px` }),
    ...(middle !== undefined && { "--middle": `${middle}px` }),
  } as CSSProperties;
  const isAlone = shown.size === 1;
  const [alone] = shown;
  const root = useRef<HTMLDivElement>(null);
  const lastAlone = useRef(isAlone ? alone : undefined);
  // Where one pane takes the place of another, the focus goes along.
  useEffect(() => {
    const next = isAlone ? alone : undefined;
    if (next !== undefined && next !== lastAlone.current)
      root.current?.querySelector<HTMLElement>(`[data-pane=${next}]`)?.focus();
    lastAlone.current = next;
  }, [isAlone, alone]);
  return (
    <div ref={root} className="relative flex min-h-0 flex-1" style={style}>
      {(["left", "middle", "right"] as const).map((name) => {
        const { label, content } = panes[name];
        const isShown = shown.has(name);
        const isLast = name === "right" || isAlone;
        return [
          <section
            key={name}
            aria-label={label}
            data-pane={name}
            tabIndex={isAlone ? -1 : undefined}
            className={classNames(
              "flex min-h-0 min-w-0 flex-col",
              sides[name],
              // What is not shown stays where it was scrolled to.
              isShown ? "relative" : "invisible absolute inset-0",
              isLast ? "flex-1" : "shrink-0",
              isAlone && "!w-full",
            )}
          >
            {content}
          </section>,
          isShown && name !== "right" && !isAlone && <Splitter key={`${name} splitter`} name={name} label={label} />,
        ];
      })}
    </div>
  );
}

const step = 24;

/** The line between two panes: dragged, or moved with the arrow keys. A double click gives the first width again. */
function Splitter({ name, label }: { name: Sized; label: string }) {
  const line = useRef<HTMLHRElement>(null);
  const width = useStore(widths[name]);
  const { min, max } = bounds[name];
  const paneBox = () => line.current?.previousElementSibling?.getBoundingClientRect() ?? { left: 0, width: min };
  const drag = (event: PointerEvent) => {
    if (event.currentTarget.hasPointerCapture(event.pointerId)) setWidth(name, event.clientX - paneBox().left);
  };
  const press = (event: KeyboardEvent) => {
    const moves: Readonly<Record<string, number>> = {
      ArrowLeft: paneBox().width - step,
      ArrowRight: paneBox().width + step,
      Home: min,
      End: max,
    };
    const next = moves[event.key];
    if (next === undefined) return;
    event.preventDefault();
    setWidth(name, next);
  };
  return (
    <hr
      ref={line}
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={`Width of ${label.toLowerCase()}`}
      aria-valuenow={Math.round(width ?? (min + max) / 2)}
      aria-valuemin={min}
      aria-valuemax={max}
      onPointerDown={(event) => {
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={drag}
      onKeyDown={press}
      onDoubleClick={() => setWidth(name, undefined)}
      className="bg-line hover:bg-edge focus-visible:bg-accent active:bg-accent relative z-10 m-0 h-auto w-px self-stretch shrink-0 cursor-col-resize touch-none border-0 outline-none after:absolute after:inset-y-0 after:-left-1 after:w-2.5"
    />
  );
}
