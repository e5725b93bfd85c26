import { useId } from 'react';
import { FieldNote } from './field-note.tsx';

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
  const about = useId();
  return (
    <div className="grid content-start gap-1">
      <label htmlFor={id} className="text-fg-2 text-label">
        {label}
      </label>
      <select
        id={id}
        value={value}
        aria-invalid={problem !== undefined}
        aria-describedby={problem || help ? about : undefined}
        onChange={(event) => onChange(event.target.value as T)}
        className="h-control w-full min-w-0 rounded-control border border-line-2 bg-transparent px-1 text-fg text-row aria-invalid:border-err-line"
      >
        {options.map((option) => (
          <option key={option.id} value={option.id} className="bg-panel text-fg">
            {option.label}
          </option>
        ))}
      </select>
      <FieldNote id={about} problem={problem} help={help} />
    </div>
  );
}
