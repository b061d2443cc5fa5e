// Buttons, and links that look like buttons.
import { type ButtonHTMLAttributes, type ReactNode, type Ref, useEffect, useEffectEvent } from "react";
import { Link } from "wouter";
import { createStore, useStore } from "../store.ts";
import { classNames } from "./class-names.ts";
import { Icon } from "./icons.tsx";

export type ButtonVariant = "primary" | "plain" | "quiet" | "danger";
export type ButtonSize = "small" | "normal";

const variants: Record<ButtonVariant, string> = {
  primary: "bg-accent text-on-accent hover:bg-accent-strong shadow-low",
  plain: "bg-surface text-text border border-edge/60 hover:bg-hover shadow-low",
  quiet: "text-text hover:bg-hover",
  danger: "bg-danger text-on-danger hover:bg-danger-strong shadow-low",
};
// A finger needs 44 pixels; a mouse needs less.
const sizes: Record<ButtonSize, string> = {
  small: "min-h-11 sm:min-h-8 px-3 text-sm",
  normal: "min-h-11 sm:min-h-9 px-4 text-sm",
};

/** The classes of a button, for other elements. */
export const buttonClass = (variant: ButtonVariant = "plain", size: ButtonSize = "normal"): string =>
  classNames(
    "inline-flex items-center justify-center gap-2 rounded-md font-medium whitespace-nowrap no-underline transition-colors duration-100",
    "disabled:opacity-55 disabled:shadow-none aria-disabled:opacity-55",
    variants[variant],
    sizes[size],
  );

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly variant?: ButtonVariant;
  readonly size?: ButtonSize;
  /** Shows a spinner and ignores clicks. */
  readonly isBusy?: boolean;
  readonly ref?: Ref<HTMLButtonElement>;
}

export function Button({ variant, size, isBusy = false, className, children, onClick, type, ...rest }: ButtonProps) {
  return (
    <button
      // Not `disabled`: that would lose the focus.
      aria-disabled={isBusy || undefined}
      onClick={(event) => {
        if (isBusy) event.preventDefault();
        else onClick?.(event);
      }}
      className={classNames(buttonClass(variant, size), className)}
      type={type ?? "button"}
      {...rest}
    >
      {isBusy && <Spinner />}
      {children}
    </button>
  );
}

/** What was asked for where there is no such button to press: the label of one, and when. */
const asked = createStore<{ readonly label: string; readonly at: number } | undefined>(undefined);
/** The page that has the button is on its way by then, or has none. */
const askedMilliseconds = 10_000;

/** Presses the `CreateButton` with this label as soon as its page shows it. */
export const askToCreate = (label: string): void => asked.set({ label, at: performance.now() });

/** The primary button of a page, which creates something. */
export function CreateButton({ onClick, children }: { onClick: () => void; children: string }) {
  const request = useStore(asked);
  const isAsked = request?.label === children;
  const press = useEffectEvent(() => {
    asked.set(undefined);
    if (request && performance.now() - request.at < askedMilliseconds) onClick();
  });
  useEffect(() => {
    if (isAsked) press();
  }, [isAsked]);
  return (
    <Button variant="primary" onClick={onClick}>
      <Icon name="plus" className="size-4" />
      {children}
    </Button>
  );
}

/** A link inside the console that looks like a button. */
export const ButtonLink = ({
  href,
  variant,
  size,
  children,
}: {
  href: string;
  variant?: ButtonVariant;
  size?: ButtonSize;
  children: ReactNode;
}) => (
  <Link href={href} className={buttonClass(variant, size)}>
    {children}
  </Link>
);

/** A button that shows only an icon; `label` is its accessible name. */
export const IconButton = ({
  label,
  children,
  className,
  ...rest
}: ButtonHTMLAttributes<HTMLButtonElement> & { label: string; ref?: Ref<HTMLButtonElement> }) => (
  <button
    type="button"
    aria-label={label}
    title={label}
    className={classNames(
      "text-quiet hover:bg-hover hover:text-text inline-grid size-11 shrink-0 place-items-center rounded-md transition-colors duration-100 sm:size-8",
      className,
    )}
    {...rest}
  >
    {children}
  </button>
);

const Spinner = () => (
  <span
    aria-hidden="true"
    className="size-3.5 animate-spin rounded-full border-2 border-current border-r-transparent motion-reduce:animate-none"
  />
);
