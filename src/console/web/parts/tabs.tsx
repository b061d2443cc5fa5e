import { Tabs as Primitive } from "radix-ui";
import type { ReactNode } from "react";

export interface Tab<Value extends string> {
  readonly value: Value;
  readonly label: ReactNode;
  readonly content: ReactNode;
}

/** Parts of a page of which one is seen. `label` names the row of tabs. */
export const Tabs = <Value extends string>({
  label,
  value,
  onChange,
  tabs,
}: {
  label: string;
  value: Value;
  onChange: (value: Value) => void;
  tabs: readonly Tab<Value>[];
}) => (
  <Primitive.Root
    value={value}
    onValueChange={(next) => {
      const chosen = tabs.find((tab) => tab.value === next);
      if (chosen) onChange(chosen.value);
    }}
  >
    <Primitive.List aria-label={label} className="border-line mb-5 flex gap-1 overflow-x-auto border-b p-1 pb-0">
      {tabs.map((tab) => (
        <Primitive.Trigger
          key={tab.value}
          value={tab.value}
          className="text-quiet hover:text-text data-[state=active]:border-accent data-[state=active]:text-text -mb-px min-h-11 border-b-2 border-transparent px-3 font-medium whitespace-nowrap sm:min-h-9"
        >
          {tab.label}
        </Primitive.Trigger>
      ))}
    </Primitive.List>
    {tabs.map((tab) => (
      <Primitive.Content key={tab.value} value={tab.value} className="min-w-0">
        {tab.content}
      </Primitive.Content>
    ))}
  </Primitive.Root>
);

/** One of a few ways to look at the same thing: small buttons in a row. */
export const Segments = <Value extends string>({
  label,
  value,
  onChange,
  options,
}: {
  label: string;
  value: Value;
  onChange: (value: Value) => void;
  options: readonly { readonly value: Value; readonly label: string }[];
}) => (
  <fieldset
    aria-label={label}
    className="bg-sunken border-line inline-flex max-w-full min-w-0 overflow-x-auto rounded-md border p-0.5"
  >
    {options.map((option) => (
      <button
        key={option.value}
        type="button"
        aria-pressed={option.value === value}
        onClick={() => onChange(option.value)}
        className="text-quiet hover:text-text aria-pressed:bg-surface aria-pressed:text-text aria-pressed:shadow-low min-h-10 rounded px-3 font-medium whitespace-nowrap sm:min-h-7.5"
      >
        {option.label}
      </button>
    ))}
  </fieldset>
);
