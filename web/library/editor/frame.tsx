// The form around a text that is written: what surrounds the text is the same for a new snippet and for one that exists.
import { type ReactNode, useEffect, useRef } from "react";
import { Button, IconButton } from "../../components/button.tsx";
import { classNames } from "../../components/class-names.ts";
import { Icon } from "../../components/icons.tsx";
import { useTitle } from "../../components/layout.tsx";
import { isMac, KeyCap } from "../key-cap.tsx";
import { useKeys } from "../use-keys.ts";

const saveKey = "Mod+enter";
const headClass = "mx-auto flex w-full max-w-6xl min-w-0 items-center gap-2 px-3 py-2 md:px-6";

interface FrameProps {
  readonly title: string;
  /** Whether something is unsaved, and where it is kept. */
  readonly status: ReactNode;
  readonly isSaving: boolean;
  /** All is saved: the button only leaves. */
  readonly isDone?: boolean;
  readonly onSave: (how: "stay" | "close") => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

export function Frame({ title, status, isSaving, isDone = false, onSave, onClose, children }: FrameProps) {
  useTitle(title);
  useKeys({ back: onClose });
  const save = useRef(onSave);
  save.current = onSave;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const how = event.key.toLowerCase() === "s" ? "stay" : event.key === "Enter" ? "close" : undefined;
      if (!(event.metaKey || event.ctrlKey) || event.altKey || event.shiftKey || how === undefined) return;
      if (document.querySelector("[role=dialog]")) return;
      event.preventDefault();
      event.stopPropagation();
      save.current(how);
    };
    // Before the text, whose own keys include Ctrl Enter.
    addEventListener("keydown", press, { capture: true });
    return () => removeEventListener("keydown", press, { capture: true });
  }, []);
  return (
    <form
      aria-labelledby="editor-title"
      className="relative flex min-h-0 flex-1 flex-col"
      onSubmit={(event) => {
        event.preventDefault();
        // Forms of dialogs that it opens report to it too.
        if (event.target === event.currentTarget) onSave("close");
      }}
    >
      <div className="border-line border-b">
        <div className={headClass}>
          <IconButton label="Go back" onClick={onClose} className="md:-ml-2">
            <Icon name="back" />
          </IconButton>
          <h2 id="editor-title" className="sr-only">
            {title}
          </h2>
          <div className="text-quiet min-w-0 flex-1 pr-20 text-[0.8125rem] lg:pr-36">{status}</div>
        </div>
      </div>
      {/* As wide as the text that one reads, so that nothing moves when one begins to write. */}
      <div className="flex min-h-0 flex-1 flex-col overflow-y-auto">
        <div className="mx-auto flex w-full max-w-6xl min-w-0 flex-1 flex-col">{children}</div>
      </div>
      {/* In the head of the form, and behind the text in the order of Tab: one saves what one has written. */}
      <div className="pointer-events-none absolute inset-x-0 top-0">
        <div className={classNames(headClass, "justify-end *:pointer-events-auto")}>
          <Button
            type="submit"
            variant="primary"
            size="small"
            isBusy={isSaving}
            aria-keyshortcuts={isMac ? "Meta+Enter" : "Control+Enter"}
            title={`${isDone ? "Close" : "Save and close"}. To save and keep editing, press ${isMac ? "⌘S" : "Ctrl S"}.`}
          >
            {isDone ? "Done" : "Save"}
            <KeyCap of={saveKey} isHint className="max-lg:hidden" />
          </Button>
        </div>
      </div>
    </form>
  );
}
