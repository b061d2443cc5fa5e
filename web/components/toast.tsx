// Short notifications in the corner: announced once, removed after a few seconds. Anything that must be read belongs in the page.
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { isCancelled } from "../call.ts";
import { createStore, useStore } from "../store.ts";
import { Icon } from "./icons.tsx";

interface ToastOptions {
  /** What one can do about it, such as "Undo". The notification is gone once it is pressed. */
  readonly action?: { readonly label: string; readonly run: () => void };
  readonly seconds?: number;
}

interface Toast extends ToastOptions {
  readonly id: number;
  readonly text: string;
  readonly tone: "good" | "warn" | "danger";
}

const toneClasses: Record<Toast["tone"], string> = { good: "text-good", warn: "text-warn", danger: "text-danger" };

const visibleSeconds = 6;
const toastsMax = 3;
const toasts = createStore<readonly Toast[]>([]);
let lastId = 0;

const remove = (id: number) => toasts.set(toasts.get().filter((toast) => toast.id !== id));

/** Shows a notification: `toast("Key renamed")`. @returns removes it */
export function toast(text: string, tone: Toast["tone"] = "good", options: ToastOptions = {}): () => void {
  lastId += 1;
  const id = lastId;
  // The same again takes the place of the one before.
  const others = toasts.get().filter((shown) => shown.text !== text || shown.action !== undefined);
  toasts.set([...others, { id, text, tone, ...options }].slice(-toastsMax));
  return () => remove(id);
}

/** Shows why a mutation failed; nothing if the person cancelled it. */
export function toastError(error: Error): void {
  if (!isCancelled(error)) toast(error.message, "danger");
}

export function Toasts() {
  const visible = useStore(toasts);
  const stack = useRef<HTMLDivElement>(null);
  const lift = useLift(stack, visible);
  return (
    <div
      ref={stack}
      role="status"
      aria-live="polite"
      style={{ transform: `translateY(${-lift}px)` }}
      className="pointer-events-none fixed inset-x-4 bottom-4 z-50 grid gap-2 sm:left-auto sm:w-96"
    >
      {visible.map((shown) => (
        <ToastCard key={shown.id} {...shown} />
      ))}
    </div>
  );
}

/** On an element with buttons that may be at the bottom of the window: notifications stay above it. */
export const bottomBar = { "data-bottom-bar": true } as const;
const gap = 8;

/** By how much the stack must be higher than usual, so that it covers none of the buttons that are there. */
function useLift(stack: RefObject<HTMLElement | null>, visible: readonly Toast[]): number {
  const [lift, setLift] = useState(0);
  useLayoutEffect(() => {
    if (visible.length === 0) return;
    const measure = () => stack.current && setLift(liftOf(stack.current));
    measure();
    // Dialogs open and close meanwhile.
    const observer = new MutationObserver(measure);
    observer.observe(document.body, { childList: true, subtree: true });
    addEventListener("resize", measure);
    return () => {
      observer.disconnect();
      removeEventListener("resize", measure);
    };
  }, [stack, visible]);
  return lift;
}

function liftOf(stack: HTMLElement): number {
  const { left, right } = stack.getBoundingClientRect();
  const bottom = stack.offsetTop + stack.offsetHeight;
  return [...document.querySelectorAll("[data-bottom-bar], [role=dialog] button[type=submit]")]
    .map((bar) => bar.getBoundingClientRect())
    .filter((bar) => bar.left < right && bar.right > left)
    .sort((one, other) => other.bottom - one.bottom)
    .reduce((lift, bar) => {
      const isCovered = bar.bottom > stack.offsetTop - lift && bar.top < bottom - lift;
      return isCovered ? bottom - bar.top + gap : lift;
    }, 0);
}

/** Stays as long as the pointer or the focus is on it. */
function ToastCard({ id, text, tone, action, seconds = visibleSeconds }: Toast) {
  const [isHeld, setIsHeld] = useState(false);
  useEffect(() => {
    if (isHeld) return;
    const timer = setTimeout(() => remove(id), seconds * 1000);
    return () => clearTimeout(timer);
  }, [id, isHeld, seconds]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only waits while somebody reads it
    <div
      onPointerEnter={() => setIsHeld(true)}
      onPointerLeave={() => setIsHeld(false)}
      onFocus={() => setIsHeld(true)}
      onBlur={() => setIsHeld(false)}
      className="bg-surface border-line shadow-high animate-rise pointer-events-auto flex items-start gap-2.5 rounded-lg border py-2.5 pr-1.5 pl-3.5"
    >
      <Icon name={tone === "good" ? "check" : "warning"} className={`mt-1 size-4 ${toneClasses[tone]}`} />
      <p className="min-w-0 flex-1 py-0.5 break-words">{text}</p>
      {action && (
        <button
          type="button"
          onClick={() => {
            remove(id);
            action.run();
          }}
          className="text-accent hover:bg-hover -my-1 min-h-9 shrink-0 rounded px-2 font-medium sm:min-h-8"
        >
          {action.label}
        </button>
      )}
      <button
        type="button"
        aria-label="Dismiss"
        onClick={() => remove(id)}
        className="text-quiet hover:text-text grid size-7 shrink-0 place-items-center rounded"
      >
        <Icon name="close" className="size-3.5" />
      </button>
    </div>
  );
}
