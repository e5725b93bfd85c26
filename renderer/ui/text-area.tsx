import { type ComponentProps, useId } from 'react';
import { FieldNote } from './field-note.tsx';

interface TextAreaProps extends Omit<ComponentProps<'textarea'>, 'id'> {
  label: string;
  /** What is wrong with it, or else what it is for. */
  problem?: string | undefined;
  help?: string;
}

/** Several lines of what a program reads. */
export function TextArea({ label, problem, help, ...rest }: TextAreaProps) {
  const id = useId();
  const about = useId();
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="text-fg-2 text-label">
        {label}
      </label>
      <textarea
        id={id}
        rows={4}
        spellCheck={false}
        aria-invalid={problem !== undefined}
        aria-describedby={problem || help ? about : undefined}
        className="w-full min-w-0 resize-y rounded-control border border-line-2 bg-transparent px-2 py-1 font-mono text-fg text-row placeholder:text-fg-3 aria-invalid:border-err-line"
        {...rest}
      />
      <FieldNote id={about} problem={problem} help={help} />
    </div>
  );
}
