import { useId } from 'react';

interface SelectFieldProps<T extends string> {
  label: string;
  options: readonly { id: T; label: string }[];
  value: T;
  onChange: (id: T) => void;
  problem?: string | undefined;
  help?: string | undefined;
}

/** A choice in a form: the browser's own list, which everybody can use. */
export function SelectField<T extends string>({ label, options, value, onChange, problem, help }: SelectFieldProps<T>) {
  const id = useId();
  return (
    <label htmlFor={id} className="grid content-start gap-1">
      <span className="text-fg-2 text-label">{label}</span>
      <select
        id={id}
        value={value}
        aria-invalid={problem !== undefined}
        onChange={(event) => onChange(event.target.value as T)}
        className="h-control w-full min-w-0 rounded-control border border-line-2 bg-transparent px-1 text-fg text-row aria-invalid:border-err-line"
      >
        {options.map((option) => (
          <option key={option.id} value={option.id} className="bg-panel text-fg">
            {option.label}
          </option>
        ))}
      </select>
      {problem ? <span className="text-err text-label">{problem}</span> : help && <span className="text-fg-3 text-label">{help}</span>}
    </label>
  );
}
