import { type About, Labelled } from './labelled.tsx';

interface SelectFieldProps<T extends string> extends About {
  options: readonly { id: T; label: string }[];
  value: T;
  onChange: (id: T) => void;
}

/** A choice in a form. The browser's own list, for accessibility. */
export const SelectField = <T extends string>({ options, value, onChange, ...about }: SelectFieldProps<T>) => (
  <Labelled {...about}>
    {(attributes) => (
      <select
        {...attributes}
        value={value}
        onChange={(event) => onChange(event.target.value as T)}
        className="h-control w-full min-w-0 rounded-control border border-line-2 bg-transparent px-1 text-fg text-row aria-invalid:border-err-line"
      >
        {options.map((option) => (
          <option key={option.id} value={option.id} className="bg-panel text-fg">
            {option.label}
          </option>
        ))}
      </select>
    )}
  </Labelled>
);
