// A choice between a few views of the same data, as a row of buttons.
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
