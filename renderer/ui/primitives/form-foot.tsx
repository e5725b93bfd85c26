import type { ReactNode } from 'react';

/** The end of a form: its buttons, and the error of the last submission. */
export const FormFoot = ({ problem, children }: { problem: string | null; children: ReactNode }) => (
  <div className="grid gap-2">
    {problem && (
      <p role="alert" className="wrap-anywhere text-err text-row">
        {problem}
      </p>
    )}
    <div className="flex flex-wrap items-center gap-2">{children}</div>
  </div>
);
