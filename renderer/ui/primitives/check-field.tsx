interface CheckFieldProps {
  label: string;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
  isDisabled?: boolean;
  /** A change is on its way, and another one has no effect. It keeps the focus. */
  isBusy?: boolean;
  /** Name for assistive technology, which contains the label. */
  fullName?: string;
  help?: string;
  /** Monospaced, for identifiers. */
  mono?: boolean;
}

/** A checkbox with its label. */
export const CheckField = ({
  label,
  isOn,
  onChange,
  isDisabled = false,
  isBusy = false,
  fullName,
  help,
  mono = false,
}: CheckFieldProps) => (
  <label className="flex min-h-row items-center gap-2 text-row has-disabled:opacity-50">
    <input
      type="checkbox"
      checked={isOn}
      disabled={isDisabled}
      aria-disabled={isBusy || undefined}
      aria-label={fullName}
      onChange={(event) => !isBusy && onChange(event.target.checked)}
      className="size-3.5 shrink-0 accent-accent"
    />
    <span className={mono ? 'font-mono text-fg-2' : 'text-fg-2'}>{label}</span>
    {help && <span className="text-fg-3 text-label">{help}</span>}
  </label>
);
