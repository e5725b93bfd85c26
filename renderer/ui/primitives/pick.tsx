interface PickProps<T extends string> {
  label: string;
  options: readonly { id: T; label: string }[];
  value: T;
  onChange: (id: T) => void;
}

/** A choice that is seldom made, as small as a word: the browser's own list, which everybody can use. */
export const Pick = <T extends string>({ label, options, value, onChange }: PickProps<T>) => (
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
