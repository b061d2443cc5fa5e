// Modal dialogs. They trap the focus, close on Escape, and return the focus to the element that opened them.
import { Dialog as Primitive } from "radix-ui";
import { type ReactNode, useRef } from "react";
import { Button } from "./button.tsx";
import { classNames } from "./class-names.ts";
import { FormError } from "./field.tsx";
import { Form } from "./form.tsx";
import { Icon } from "./icons.tsx";
import { bottomBar } from "./toast.tsx";

const widths = { small: "sm:max-w-md", normal: "sm:max-w-lg", wide: "sm:max-w-3xl" } as const;

interface DialogProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly title: string;
  readonly description?: ReactNode;
  readonly size?: keyof typeof widths;
  /** True: only its own buttons close it. For content that is shown once. */
  readonly isPersistent?: boolean;
  readonly children: ReactNode;
}

/** A modal dialog. `<DialogActions>` comes last among its children. */
export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  size = "normal",
  isPersistent = false,
  children,
}: DialogProps) {
  const preventClose = (event: Event) => {
    if (isPersistent) event.preventDefault();
  };
  const opener = useRef<HTMLElement>(null);
  return (
    <Primitive.Root open={open} onOpenChange={onOpenChange}>
      <Primitive.Portal>
        <Primitive.Overlay className="bg-veil animate-appear fixed inset-x-0 top-0 bottom-(--keyboard) z-40 grid place-items-end overflow-y-auto sm:place-items-center sm:p-6">
          <Primitive.Content
            {...(description === undefined && { "aria-describedby": undefined })}
            onOpenAutoFocus={(event) => {
              opener.current = findOpener(document.activeElement);
              const radio = initialRadio(event.currentTarget);
              if (!radio) return;
              event.preventDefault();
              radio.focus();
            }}
            onCloseAutoFocus={(event) => {
              event.preventDefault();
              const target = opener.current?.isConnected ? opener.current : document.getElementById("page-title");
              target?.focus();
            }}
            onEscapeKeyDown={preventClose}
            onPointerDownOutside={preventClose}
            onInteractOutside={preventClose}
            className={classNames(
              "bg-surface text-text border-line shadow-high animate-rise relative w-full min-w-0 rounded-t-xl border p-5 wrap-anywhere sm:rounded-xl sm:p-6",
              widths[size],
            )}
          >
            <Primitive.Title className="pr-10 text-lg font-semibold">{title}</Primitive.Title>
            {description !== undefined && (
              <Primitive.Description className="text-quiet mt-1">{description}</Primitive.Description>
            )}
            <div className="mt-4 grid min-w-0 gap-4">{children}</div>
            {!isPersistent && (
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

/**
 * The checked radio button of a dialog that begins with radio buttons. If the first one had the focus, the space bar
 * would change the choice.
 */
function initialRadio(content: EventTarget | null): HTMLElement | undefined {
  if (!(content instanceof HTMLElement)) return undefined;
  const first = content.querySelector<HTMLInputElement>("input, select, textarea");
  if (first?.type !== "radio") return undefined;
  return content.querySelector<HTMLInputElement>(`input[name="${CSS.escape(first.name)}"]:checked`) ?? undefined;
}

/** The element that had the focus. A menu is gone by now; its button takes its place. */
function findOpener(focused: Element | null): HTMLElement | null {
  const button = focused?.closest("[role=menu]")?.getAttribute("aria-labelledby");
  const from = typeof button === "string" ? document.getElementById(button) : focused;
  return from instanceof HTMLElement && from !== document.body ? from : null;
}

/** The buttons of a dialog. The primary one comes last in the markup and is on the right. */
export const DialogActions = ({ children }: { children: ReactNode }) => (
  <div {...bottomBar} className="mt-2 flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
    {children}
  </div>
);

interface FormDialogProps extends Pick<DialogProps, "title" | "description" | "size" | "children"> {
  readonly open?: boolean;
  /** A verb with its object, such as "Create key", or "Save". */
  readonly submitLabel: string;
  readonly tone?: "primary" | "danger";
  /** The fields show their own errors instead of the browser's. */
  readonly noValidate?: boolean;
  readonly isBusy?: boolean;
  readonly error?: unknown;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
}

/** A dialog with a form: the children are its fields, and an error of the submission appears below them. */
export const FormDialog = ({
  open = true,
  submitLabel,
  tone = "primary",
  noValidate,
  isBusy = false,
  error,
  onSubmit,
  onClose,
  children,
  ...dialogProps
}: FormDialogProps) => (
  <Dialog open={open} onOpenChange={onClose} {...dialogProps}>
    <Form noValidate={noValidate} isBusy={isBusy} onSubmit={onSubmit}>
      {children}
      <FormError error={error} />
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant={tone} isBusy={isBusy}>
          {submitLabel}
        </Button>
      </DialogActions>
    </Form>
  </Dialog>
);

/** Asks for confirmation before something that cannot be undone, or that affects others. */
export const ConfirmDialog = ({
  onOpenChange,
  children,
  confirmLabel,
  tone = "danger",
  onConfirm,
  ...dialogProps
}: Pick<FormDialogProps, "title" | "tone" | "isBusy" | "error"> & {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** What will happen, in full sentences. */
  children: ReactNode;
  /** A verb with its object: "Delete key". */
  confirmLabel: string;
  onConfirm: () => void;
}) => (
  <FormDialog
    {...dialogProps}
    size="small"
    tone={tone}
    submitLabel={confirmLabel}
    onSubmit={onConfirm}
    onClose={() => onOpenChange(false)}
  >
    <div className="text-quiet grid gap-2">{children}</div>
  </FormDialog>
);
