import { type ReactNode, useId } from 'react';

/** Texts of every form field. */
export interface About {
  label: string;
  /** Purpose. */
  help?: string | undefined;
  /** Error; replaces the hint. */
  problem?: string | undefined;
}

/** What ties a field to its label and to what is said under it. */
interface Ties {
  id: string;
  'aria-invalid': boolean;
  'aria-describedby': string | undefined;
}

/** A field of a form: its label above, and under it what is wrong with it or else what it is for. */
export function Labelled({ label, help, problem, children }: About & { children: (ties: Ties) => ReactNode }) {
  const id = useId();
  const about = useId();
  return (
    <div className="grid content-start gap-1">
      <label htmlFor={id} className="text-fg-2 text-label">
        {label}
      </label>
      {children({ id, 'aria-invalid': problem !== undefined, 'aria-describedby': problem || help ? about : undefined })}
      {problem ? (
        <span id={about} className="wrap-anywhere text-err text-label">
          {problem}
        </span>
      ) : (
        help && (
          <span id={about} className="text-fg-3 text-label">
            {help}
          </span>
        )
      )}
    </div>
  );
}
