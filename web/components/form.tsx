// Forms that a script submits.
import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";

interface FormProps {
  readonly onSubmit: () => void;
  /** Ignores further submissions. */
  readonly isBusy: boolean;
  /** The fields show their own errors instead of the browser's. */
  readonly noValidate?: boolean | undefined;
  readonly className?: string;
  readonly children: ReactNode;
}

export const Form = ({ onSubmit, isBusy, noValidate, className, children }: FormProps) => (
  <form
    noValidate={noValidate}
    className={classNames("grid min-w-0 gap-4", className)}
    // The fields show what is wrong; the browser goes to the first one only if it shows that itself.
    onInvalidCapture={({ currentTarget, target }) => {
      const first = currentTarget.querySelector<HTMLElement>(":invalid:not(fieldset)");
      if (first === target) first?.focus();
    }}
    onSubmit={(event) => {
      event.preventDefault();
      if (!isBusy) onSubmit();
    }}
  >
    {children}
  </form>
);
