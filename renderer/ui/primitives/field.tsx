import clsx from 'clsx';
import type { ComponentProps, Ref } from 'react';
import { KeyCap } from './key-cap.tsx';
import { type About, Labelled } from './labelled.tsx';

const style = 'h-control w-full min-w-0 rounded-control border border-line-2 bg-transparent px-2 text-fg text-row placeholder:text-fg-3';

interface SearchFieldProps extends Omit<ComponentProps<'input'>, 'type' | 'size'> {
  label: string;
  hint?: string;
  ref?: Ref<HTMLInputElement>;
}

/** Field that filters the content below. The label is its placeholder and accessible name. */
export function SearchField({ label, hint, className, ...rest }: SearchFieldProps) {
  return (
    <div className={clsx('relative min-w-0', className)}>
      <input
        type="text"
        aria-label={label}
        placeholder={label}
        spellCheck={false}
        autoComplete="off"
        className={clsx(style, hint && 'pr-7')}
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

export const Field = ({ label, help, problem, ...rest }: About & Omit<ComponentProps<'input'>, 'id'>) => (
  <Labelled label={label} help={help} problem={problem}>
    {(attributes) => (
      <input
        className={clsx(style, 'aria-invalid:border-err-line')}
        spellCheck={false}
        autoComplete="off"
        data-autofocus={rest.autoFocus}
        {...attributes}
        {...rest}
      />
    )}
  </Labelled>
);
