import { type ComponentProps, useId } from 'react';

interface TextAreaProps extends Omit<ComponentProps<'textarea'>, 'id'> {
  label: string;
  /** What is wrong with it, or else what it is for. */
  problem?: string | undefined;
  help?: string;
}

/** Several lines of what a program reads. */
export function TextArea({ label, problem, help, ...rest }: TextAreaProps) {
  const id = useId();
  return (
    <label htmlFor={id} className="grid gap-1">
      <span className="text-fg-2 text-label">{label}</span>
      <textarea
        id={id}
        rows={4}
        spellCheck={false}
        aria-invalid={problem !== undefined}
        className="w-full min-w-0 resize-y rounded-control border border-line-2 bg-transparent px-2 py-1 font-mono text-fg text-row placeholder:text-fg-3 aria-invalid:border-err-line"
        {...rest}
      />
      {problem ? <span className="text-err text-label">{problem}</span> : help && <span className="text-fg-3 text-label">{help}</span>}
    </label>
  );
}
