import { type ReactNode, useId } from 'react';

/** Texts of every form field. */
export interface About {
  label: string;
  /** What the field is for. */
  help?: string | undefined;
  /** Error message; replaces `help`. */
  problem?: string | undefined;
}

/** Attributes that connect a field to its label and to the text below it. */
interface FieldAttributes {
  id: string;
  'aria-invalid': boolean;
  'aria-describedby': string | undefined;
}

/** A form field: its label above, its error or help text below. */
export function Labelled({ label, help, problem, children }: About & { children: (attributes: FieldAttributes) => ReactNode }) {
  const id = useId();
  const descriptionId = useId();
  return (
    <div className="grid content-start gap-1">
      <label htmlFor={id} className="text-fg-2 text-label">
        {label}
      </label>
      {children({ id, 'aria-invalid': problem !== undefined, 'aria-describedby': problem || help ? descriptionId : undefined })}
      {problem ? (
        <span id={descriptionId} className="wrap-anywhere text-err text-label">
          {problem}
        </span>
      ) : (
        help && (
          <span id={descriptionId} className="text-fg-3 text-label">
            {help}
          </span>
        )
      )}
    </div>
  );
}
