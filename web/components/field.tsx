// Form controls. Each has its label above, and its hint and error below.
import {
  type InputHTMLAttributes,
  type ReactNode,
  type Ref,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
  useState,
} from "react";
import { isCancelled } from "../call.ts";
import { classNames } from "./class-names.ts";
import { withFieldLabel } from "./field-names.ts";
import { formatCount } from "./format.ts";
import { Icon } from "./icons.tsx";

const controlClass =
  "bg-surface border-edge text-text w-full min-w-0 rounded-md border px-3 text-base sm:text-sm min-h-11 sm:min-h-9 shadow-low aria-invalid:border-danger disabled:bg-sunken disabled:text-quiet read-only:bg-sunken";

const Input = ({ className, ...rest }: InputHTMLAttributes<HTMLInputElement> & { ref?: Ref<HTMLInputElement> }) => (
  <input dir="auto" className={classNames(controlClass, className)} {...rest} />
);

/** The native list, which works best on phones and with a keyboard. */
export const Select = ({ className, children, ...rest }: SelectHTMLAttributes<HTMLSelectElement>) => (
  <span className={classNames("relative block min-w-0", className)}>
    <select className={classNames(controlClass, "appearance-none truncate pr-9 read-only:bg-surface")} {...rest}>
      {children}
    </select>
    <Icon
      name="chevron"
      className="text-quiet pointer-events-none absolute top-1/2 right-2.5 size-4 -translate-y-1/2"
    />
  </span>
);

interface FieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  /** What is wrong with the value. */
  readonly error?: string | undefined;
  /** Only screen readers get the label. */
  readonly isLabelHidden?: boolean | undefined;
  readonly className?: string | undefined;
  /** Renders the control with these props. */
  readonly children: (props: {
    id: string;
    "aria-describedby": string | undefined;
    "aria-invalid": true | undefined;
  }) => ReactNode;
}

/** Label, hint and error around any control: `<Field label="Name">{(props) => <Input {...props} />}</Field>`. */
function Field({ label, hint, error, isLabelHidden = false, className, children }: FieldProps) {
  const id = useId();
  /** What the browser found when the form was submitted. */
  const [refusal, setRefusal] = useState<string>();
  const shown = error ?? refusal;
  const descriptionIds = [hint ? `${id}-hint` : "", shown ? `${id}-error` : ""].filter(Boolean).join(" ");
  return (
    <div
      className={classNames("grid min-w-0 content-start gap-1.5", className)}
      onInvalidCapture={(event) => {
        // In place of the browser's own bubble.
        event.preventDefault();
        if (isControl(event.target)) setRefusal(describeInvalid(event.target));
      }}
      // Not while the event is captured: rendering then would put the old value back before the field reports the new one.
      onInput={() => setRefusal(undefined)}
    >
      <label htmlFor={id} className={isLabelHidden ? "sr-only" : "font-medium"}>
        {label}
      </label>
      {children({ id, "aria-describedby": descriptionIds || undefined, "aria-invalid": shown ? true : undefined })}
      {hint && (
        <p id={`${id}-hint`} className="text-quiet text-[0.8125rem]">
          {hint}
        </p>
      )}
      {shown && (
        <p id={`${id}-error`} className="text-danger flex gap-1.5 text-[0.8125rem]">
          <Icon name="warning" className="mt-0.5 size-4" />
          {shown}
        </p>
      )}
    </div>
  );
}

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;
const isControl = (target: EventTarget): target is Control => "validity" in target;

function describeInvalid(control: Control): string {
  const { validity, validationMessage, value } = control;
  if (validity.valueMissing) return "Fill in this field.";
  if (validity.tooShort && "minLength" in control)
    return `Use at least ${formatCount(control.minLength)} characters. You’ve entered ${formatCount([...value].length)}.`;
  if (validity.typeMismatch && control.type === "email") return "Enter an email address, such as name@example.com.";
  return validationMessage;
}

type FieldLayoutProps = Omit<FieldProps, "children">;

export const TextField = ({
  label,
  hint,
  error,
  isLabelHidden,
  className,
  maxLength,
  ...rest
}: FieldLayoutProps & InputHTMLAttributes<HTMLInputElement> & { ref?: Ref<HTMLInputElement>; value: string }) => (
  <Field
    label={label}
    hint={hint}
    isLabelHidden={isLabelHidden}
    className={className}
    error={error ?? lengthError(rest.value, maxLength)}
  >
    {(props) => <Input {...rest} {...props} />}
  </Field>
);

/** Shown instead of cutting off pasted text, which nobody would notice. */
function lengthError(text: string, maxLength: number | undefined): string | undefined {
  const length = [...text].length;
  return maxLength !== undefined && length > maxLength
    ? `Use at most ${formatCount(maxLength)} characters. You’ve entered ${formatCount(length)}.`
    : undefined;
}

export const SelectField = ({
  label,
  hint,
  error,
  isLabelHidden,
  className,
  children,
  ...rest
}: FieldLayoutProps & SelectHTMLAttributes<HTMLSelectElement>) => (
  <Field label={label} hint={hint} error={error} isLabelHidden={isLabelHidden} className={className}>
    {(props) => (
      <Select {...rest} {...props}>
        {children}
      </Select>
    )}
  </Field>
);

export const TextareaField = ({
  label,
  hint,
  error,
  isLabelHidden,
  className,
  ...rest
}: FieldLayoutProps & TextareaHTMLAttributes<HTMLTextAreaElement>) => (
  <Field label={label} hint={hint} error={error} isLabelHidden={isLabelHidden} className={className}>
    {(props) => <textarea dir="auto" rows={3} className={classNames(controlClass, "py-2")} {...rest} {...props} />}
  </Field>
);

/** The name of an object. Asks for one when it is missing. */
export const NameField = ({
  label = "Name",
  value,
  onChange,
  isMissing,
  ...rest
}: {
  label?: string;
  placeholder?: string;
  hint?: string;
  maxLength: number;
  value: string;
  onChange: (value: string) => void;
  /** The form was submitted without a name. */
  isMissing: boolean;
}) => (
  <TextField
    {...rest}
    label={label}
    autoComplete="off"
    value={value}
    onChange={(event) => onChange(event.target.value)}
    error={isMissing ? "Enter a name." : undefined}
  />
);

/** A password. A button shows it while it is typed. */
export function PasswordField({
  label,
  hint,
  error,
  isLabelHidden,
  className,
  ...rest
}: FieldLayoutProps & InputHTMLAttributes<HTMLInputElement> & { ref?: Ref<HTMLInputElement> }) {
  const [isVisible, setIsVisible] = useState(false);
  return (
    <Field label={label} hint={hint} error={error} isLabelHidden={isLabelHidden} className={className}>
      {(props) => (
        <span className="relative block">
          <Input {...rest} {...props} type={isVisible ? "text" : "password"} className="pr-16" />
          <button
            type="button"
            aria-pressed={isVisible}
            aria-label={`Show ${label.toLowerCase()}`}
            onClick={() => setIsVisible(!isVisible)}
            className="text-quiet hover:text-text absolute inset-y-1 right-1 rounded px-2 text-[0.8125rem] font-medium"
          >
            {isVisible ? "Hide" : "Show"}
          </button>
        </span>
      )}
    </Field>
  );
}

interface LabeledInputProps extends InputHTMLAttributes<HTMLInputElement> {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
}

const checkClass = "accent-accent mt-0.5 size-4.5 shrink-0";

/** A checkbox with a label of any length. */
export const Checkbox = ({ label, hint, ...rest }: LabeledInputProps) => (
  <LabeledInput type="checkbox" label={label} hint={hint} {...rest} />
);

function LabeledInput({ label, hint, ...rest }: LabeledInputProps) {
  const id = useId();
  return (
    <label className="flex min-h-11 items-start gap-2.5 py-1.5 sm:min-h-8">
      <input className={checkClass} aria-describedby={hint ? id : undefined} {...rest} />
      <span className="grid min-w-0 gap-0.5">
        <span className="break-words">{label}</span>
        {hint && (
          <span id={id} className="text-quiet text-[0.8125rem]">
            {hint}
          </span>
        )}
      </span>
    </label>
  );
}

/** A choice between a few options, all of them visible. */
export function RadioGroup<Value extends string>({
  legend,
  name,
  value,
  onChange,
  options,
}: {
  legend: string;
  name: string;
  value: Value;
  onChange: (value: Value) => void;
  options: readonly { readonly value: Value; readonly label: ReactNode; readonly hint?: ReactNode }[];
}) {
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 font-medium">{legend}</legend>
      {options.map((option) => (
        <LabeledInput
          key={option.value}
          type="radio"
          name={name}
          label={option.label}
          hint={option.hint}
          checked={option.value === value}
          onChange={() => onChange(option.value)}
        />
      ))}
    </fieldset>
  );
}

/** The error of a form, announced to screen readers. Takes the `error` of a mutation; a cancelled one shows nothing. */
export const FormError = ({ error }: { error: unknown }) => (
  <div role="alert" className="empty:hidden">
    {error !== null && error !== undefined && !isCancelled(error) && (
      <p className="bg-danger-soft text-danger flex gap-2 rounded-md px-3 py-2">
        <Icon name="warning" className="mt-0.5 size-4" />
        <span className="min-w-0 break-words">
          {error instanceof Error
            ? withFieldLabel(error.message)
            : typeof error === "string"
              ? error
              : "Something went wrong. Try again."}
        </span>
      </p>
    )}
  </div>
);
