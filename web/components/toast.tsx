// Short notifications in the corner: announced once, removed after a few seconds. Anything that must be read belongs in the page.
import { isCancelled } from "../call.ts";
import { createStore, useStore } from "../store.ts";
import { Icon } from "./icons.tsx";

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly tone: "good" | "danger";
}

const visibleMilliseconds = 6000;
const toastsMax = 3;
const toasts = createStore<readonly Toast[]>([]);
let lastId = 0;

const remove = (id: number) => toasts.set(toasts.get().filter((toast) => toast.id !== id));

/** Shows a notification: `toast("Key renamed")`. */
export function toast(text: string, tone: Toast["tone"] = "good"): void {
  lastId += 1;
  const id = lastId;
  toasts.set([...toasts.get(), { id, text, tone }].slice(-toastsMax));
  setTimeout(() => remove(id), visibleMilliseconds);
}

/** Shows why a mutation failed; nothing if the person cancelled it. */
export function toastError(error: Error): void {
  if (!isCancelled(error)) toast(error.message, "danger");
}

export function Toasts() {
  const visible = useStore(toasts);
  return (
    <div
      role="status"
      aria-live="polite"
      className="pointer-events-none fixed inset-x-4 bottom-4 z-50 grid gap-2 sm:left-auto sm:w-96"
    >
      {visible.map(({ id, text, tone }) => (
        <div
          key={id}
          className="bg-surface border-line shadow-high animate-rise pointer-events-auto flex items-start gap-2.5 rounded-lg border py-2.5 pr-1.5 pl-3.5"
        >
          <Icon
            name={tone === "good" ? "check" : "warning"}
            className={`mt-1 size-4 ${tone === "good" ? "text-good" : "text-danger"}`}
          />
          <p className="min-w-0 flex-1 py-0.5 break-words">{text}</p>
          <button
            type="button"
            aria-label="Dismiss"
            onClick={() => remove(id)}
            className="text-quiet hover:text-text grid size-7 place-items-center rounded"
          >
            <Icon name="close" className="size-3.5" />
          </button>
        </div>
      ))}
    </div>
  );
}
