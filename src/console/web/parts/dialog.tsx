// Windows over the page. The focus stays inside, Escape closes, and the focus goes back to where it came from.
import { Dialog as Primitive } from "radix-ui";
import { type ReactNode, useId, useRef, useState } from "react";
import { Button } from "./button.tsx";
import { classNames } from "./class-names.ts";
import { FormError, TextField } from "./field.tsx";
import { Icon } from "./icons.tsx";

const widths = { small: "sm:max-w-md", normal: "sm:max-w-lg", wide: "sm:max-w-3xl" } as const;

interface DialogProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly title: string;
  readonly description?: ReactNode;
  readonly size?: keyof typeof widths;
  /** True: only its own buttons close it. For what is shown once. */
  readonly isKept?: boolean;
  readonly children: ReactNode;
}

/** Put `<DialogActions>` last among the children. */
export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  size = "normal",
  isKept = false,
  children,
}: DialogProps) {
  const stay = (event: Event) => {
    if (isKept) event.preventDefault();
  };
  const opener = useRef<HTMLElement>(null);
  return (
    <Primitive.Root open={open} onOpenChange={onOpenChange}>
      <Primitive.Portal>
        <Primitive.Overlay className="bg-veil animate-appear fixed inset-0 z-40 grid place-items-end overflow-y-auto sm:place-items-center sm:p-6">
          <Primitive.Content
            {...(description === undefined && { "aria-describedby": undefined })}
            onOpenAutoFocus={() => {
              opener.current = openerOf(document.activeElement);
            }}
            onCloseAutoFocus={(event) => {
              event.preventDefault();
              const from = opener.current?.isConnected ? opener.current : document.getElementById("page-title");
              from?.focus();
            }}
            onEscapeKeyDown={stay}
            onPointerDownOutside={stay}
            onInteractOutside={stay}
            className={classNames(
              "bg-surface text-text border-line shadow-high animate-rise relative w-full min-w-0 rounded-t-xl border p-5 sm:rounded-xl sm:p-6",
              widths[size],
            )}
          >
            <Primitive.Title className="pr-10 text-lg font-semibold break-words">{title}</Primitive.Title>
            {description !== undefined && (
              <Primitive.Description className="text-quiet mt-1 break-words">{description}</Primitive.Description>
            )}
            <div className="mt-4 grid min-w-0 gap-4">{children}</div>
            {!isKept && (
              <Primitive.Close
                aria-label="Close"
                className="text-quiet hover:bg-hover hover:text-text absolute top-3 right-3 grid size-11 place-items-center rounded-md sm:size-8"
              >
                <Icon name="close" className="size-4" />
              </Primitive.Close>
            )}
          </Primitive.Content>
        </Primitive.Overlay>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

/** Where the focus was before: of a menu, which is gone by then, the button that opened it. */
function openerOf(focused: Element | null): HTMLElement | null {
  const button = focused?.closest("[role=menu]")?.getAttribute("aria-labelledby");
  const from = typeof button === "string" ? document.getElementById(button) : focused;
  return from instanceof HTMLElement && from !== document.body ? from : null;
}

/** The buttons of a dialog: what goes on comes last in the markup and stands at the end. */
export const DialogActions = ({ children }: { children: ReactNode }) => (
  <div className="mt-2 flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">{children}</div>
);

/** Asks before something is done that can not be undone, or that others feel. */
export function ConfirmDialog({
  open,
  onOpenChange,
  title,
  children,
  confirmLabel,
  tone = "danger",
  isBusy = false,
  error,
  onConfirm,
  typeToConfirm,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  /** What will happen, in full sentences. */
  children: ReactNode;
  /** A verb with its object: "Delete key". */
  confirmLabel: string;
  tone?: "danger" | "primary";
  isBusy?: boolean;
  error?: unknown;
  onConfirm: () => void;
  /** This text has to be typed first. */
  typeToConfirm?: string;
}) {
  const [typed, setTyped] = useState("");
  const form = useId();
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        setTyped("");
        onOpenChange(next);
      }}
      title={title}
      size="small"
    >
      <form
        id={form}
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isBusy) onConfirm();
        }}
      >
        <div className="text-quiet grid gap-2 break-words">{children}</div>
        {typeToConfirm !== undefined && (
          <TextField
            label={`Type “${typeToConfirm}” to confirm`}
            autoComplete="off"
            spellCheck={false}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        )}
        <FormError error={error} />
      </form>
      <DialogActions>
        <Button onClick={() => onOpenChange(false)}>Cancel</Button>
        <Button
          type="submit"
          form={form}
          variant={tone}
          isBusy={isBusy}
          disabled={typeToConfirm !== undefined && typed !== typeToConfirm}
        >
          {confirmLabel}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
