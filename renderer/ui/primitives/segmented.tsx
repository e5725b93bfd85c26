interface SegmentedProps<T extends string> {
  label: string;
  /** `hint` is the shortcut of the option. */
  options: readonly { id: T; label: string; hint?: string }[];
  value: T;
  onChange: (id: T) => void;
}

/** A few options, exactly one of which is selected. */
export function Segmented<T extends string>({ label, options, value, onChange }: SegmentedProps<T>) {
  return (
    <fieldset aria-label={label} className="flex h-control shrink-0 overflow-hidden rounded-control border border-line-2">
      {options.map((option) => (
        <button
          key={option.id}
          type="button"
          aria-pressed={option.id === value}
          title={option.hint && `${option.label} (${option.hint})`}
          onClick={() => onChange(option.id)}
          className="min-w-6 px-2 text-fg-3 text-row hover:text-fg aria-pressed:bg-raised aria-pressed:text-fg"
        >
          {option.label}
        </button>
      ))}
    </fieldset>
  );
}
