import clsx from 'clsx';
import { type ComponentProps, type Ref, useId } from 'react';
import { FieldNote } from './field-note.tsx';
import { KeyCap } from './key-cap.tsx';

const look = 'h-control w-full min-w-0 rounded-control border border-line-2 bg-transparent px-2 text-fg text-row placeholder:text-fg-3';

interface SearchFieldProps extends Omit<ComponentProps<'input'>, 'type' | 'size'> {
  label: string;
  hint?: string;
  ref?: Ref<HTMLInputElement>;
}

/** A field that narrows what is below it. Its label is its placeholder, and a name for those who hear it. */
export function SearchField({ label, hint, className, ...rest }: SearchFieldProps) {
  return (
    <div className={clsx('relative min-w-0', className)}>
      <input
        type="text"
        aria-label={label}
        placeholder={label}
        spellCheck={false}
        autoComplete="off"
        className={clsx(look, hint && 'pr-7')}
        {...rest}
      />
      {hint && (
        <span className="pointer-events-none absolute inset-y-0 right-1.5 flex items-center">
          <KeyCap>{hint}</KeyCap>
        </span>
      )}
    </div>
  );
}

interface FieldProps extends Omit<ComponentProps<'input'>, 'id'> {
  label: string;
  help?: string | undefined;
  /** What is wrong with it: stands in place of what it is for. */
  problem?: string | undefined;
}

export function Field({ label, help, problem, ...rest }: FieldProps) {
  const id = useId();
  const about = useId();
  return (
    <div className="grid content-start gap-1">
      <label htmlFor={id} className="text-fg-2 text-label">
        {label}
      </label>
      <input
        id={id}
        className={clsx(look, 'aria-invalid:border-err-line')}
        spellCheck={false}
        autoComplete="off"
        aria-invalid={problem !== undefined}
        aria-describedby={problem || help ? about : undefined}
        {...rest}
      />
      <FieldNote id={about} problem={problem} help={help} />
    </div>
  );
}
