import type { ComponentProps } from 'react';
import { type About, Labelled } from './labelled.tsx';

/** A field for several lines of text, monospaced. */
export const TextArea = ({ label, problem, help, ...rest }: About & Omit<ComponentProps<'textarea'>, 'id'>) => (
  <Labelled label={label} help={help} problem={problem}>
    {(attributes) => (
      <textarea
        rows={4}
        data-autofocus={rest.autoFocus}
        spellCheck={false}
        className="w-full min-w-0 resize-y rounded-control border border-line-2 bg-transparent px-2 py-1 font-mono text-fg text-row placeholder:text-fg-3 aria-invalid:border-err-line"
        {...attributes}
        {...rest}
      />
    )}
  </Labelled>
);
