interface PickProps<T extends string> {
  label: string;
  options: readonly { id: T; label: string }[];
  value: T;
  onChange: (id: T) => void;
}

/** A compact choice for settings that rarely change. The browser's own list, for accessibility. */
export const InlineSelect = <T extends string>({ label, options, value, onChange }: PickProps<T>) => (
  <select
    aria-label={label}
    title={label}
    value={value}
    onChange={(event) => onChange(event.target.value as T)}
    className="h-control shrink-0 rounded-control bg-transparent px-1 text-fg-3 text-label hover:bg-hover hover:text-fg"
  >
    {options.map((option) => (
      <option key={option.id} value={option.id} className="bg-panel text-fg">
        {option.label}
      </option>
    ))}
  </select>
);
