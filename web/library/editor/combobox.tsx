// A field that offers what matches while one types.
import { type KeyboardEvent, type ReactNode, useId, useState } from "react";
import { classNames } from "../../components/class-names.ts";

export interface Option {
  readonly id: string;
  readonly label: string;
  /** Before the label: a dot of its color, a plus. */
  readonly mark?: ReactNode;
}

interface ComboboxProps {
  readonly label: string;
  /** Shown while nobody types: the name of what is chosen. */
  readonly shownText?: string;
  readonly placeholder: string;
  readonly options: readonly Option[];
  /** Options that depend on what is typed, below the others. */
  readonly extraOptions?: (query: string) => readonly Option[];
  readonly onPick: (id: string, query: string) => void;
  /** Backspace in the empty field. */
  readonly onBackspace?: () => void;
  readonly isDisabled?: boolean;
  /** What is chosen, before the field. */
  readonly children?: ReactNode;
}

/** More options are found by typing. */
const shownMax = 50;

export function Combobox({
  label,
  shownText = "",
  placeholder,
  options,
  extraOptions,
  onPick,
  onBackspace,
  isDisabled = false,
  children,
}: ComboboxProps) {
  const id = useId();
  const [query, setQuery] = useState("");
  const [isOpen, setIsOpen] = useState(false);
  const [activeIndex, setActiveIndex] = useState(0);
  const typed = query.trim().toLowerCase();
  const matching = typed === "" ? options : options.filter((option) => option.label.toLowerCase().includes(typed));
  const shown = [...matching.slice(0, shownMax), ...(extraOptions?.(query.trim()) ?? [])];
  const active = shown[Math.min(activeIndex, shown.length - 1)];

  const close = () => {
    setIsOpen(false);
    setQuery("");
    setActiveIndex(0);
  };
  const pick = (option: Option) => {
    onPick(option.id, query.trim());
    close();
  };
  const move = (step: number) => {
    setIsOpen(true);
    if (isOpen && shown.length > 0) setActiveIndex((activeIndex + step + shown.length) % shown.length);
  };
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") move(event.key === "ArrowDown" ? 1 : -1);
    else if (event.key === "Enter" && isOpen && active) pick(active);
    else if (event.key === "Escape" && isOpen) close();
    else {
      if (event.key === "Backspace" && query === "") onBackspace?.();
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className="relative grid min-w-0 content-start gap-1">
      <label htmlFor={id} className="text-quiet text-[0.8125rem] font-medium">
        {label}
      </label>
      <div className="bg-surface border-edge shadow-low focus-within:outline-accent flex max-h-32 min-h-11 min-w-0 flex-wrap items-center gap-1 overflow-y-auto rounded-md border px-1.5 py-0.5 focus-within:outline-2 focus-within:outline-offset-1 sm:min-h-9">
        {children}
        <input
          id={id}
          dir="auto"
          type="text"
          role="combobox"
          autoComplete="off"
          spellCheck={false}
          aria-expanded={isOpen}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={isOpen && active ? `${id}-${active.id}` : undefined}
          disabled={isDisabled}
          placeholder={placeholder}
          value={isOpen ? query : shownText}
          onChange={(event) => {
            setQuery(event.target.value);
            setIsOpen(true);
            setActiveIndex(0);
          }}
          onClick={() => setIsOpen(true)}
          onBlur={close}
          onKeyDown={press}
          className={classNames(
            "min-h-7 flex-1 bg-transparent px-1.5 text-base outline-none sm:text-sm",
            // Beside what is chosen there is no need for a line of its own.
            placeholder === "" ? "min-w-12" : "min-w-24",
          )}
        />
      </div>
      <div
        id={`${id}-list`}
        role="listbox"
        aria-label={label}
        className={classNames(
          "bg-surface border-line shadow-high absolute inset-x-0 top-full z-30 mt-1 max-h-64 overflow-y-auto rounded-lg border p-1",
          !(isOpen && shown.length > 0) && "hidden",
        )}
      >
        {isOpen &&
          shown.map((option) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
            <div
              key={option.id}
              id={`${id}-${option.id}`}
              role="option"
              tabIndex={-1}
              aria-selected={option === active}
              ref={(element) => {
                if (option === active) element?.scrollIntoView({ block: "nearest" });
              }}
              // The field keeps the focus.
              onPointerDown={(event) => event.preventDefault()}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => pick(option)}
              className="aria-selected:bg-hover flex min-h-10 cursor-pointer items-center gap-2 rounded px-2 wrap-anywhere sm:min-h-8"
            >
              {option.mark}
              <span className="min-w-0">{option.label}</span>
            </div>
          ))}
        {isOpen && matching.length > shownMax && (
          <p className="text-quiet px-2 py-1.5 text-xs">Type to narrow the list.</p>
        )}
      </div>
    </div>
  );
}
