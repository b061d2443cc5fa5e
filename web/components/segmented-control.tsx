// A choice between a few views of the same data, as a row of buttons. On a phone the row has the full width, and wraps where it is too long.
/** Shows each option as a button; the selected one is pressed. */
export const SegmentedControl = <Value extends string>({
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
    className="bg-sunken border-line flex w-full min-w-0 flex-wrap rounded-md border p-0.5 sm:inline-flex sm:w-auto"
  >
    {options.map((option) => (
      <button
        key={option.value}
        type="button"
        aria-pressed={option.value === value}
        onClick={() => onChange(option.value)}
        className="text-quiet hover:text-text aria-pressed:bg-surface aria-pressed:text-text aria-pressed:shadow-low min-h-10 grow rounded px-1.5 text-[0.8125rem] font-medium whitespace-nowrap sm:min-h-7.5 sm:grow-0 sm:px-3 sm:text-sm"
      >
        {option.label}
      </button>
    ))}
  </fieldset>
);
