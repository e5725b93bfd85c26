interface RowActionProps {
  /** Accessible name, with the action and the row. */
  label: string;
  onClick: () => void;
  disabled?: boolean;
  children: string;
}

/** A button that fits the height of a row. */
export const RowAction = ({ label, onClick, disabled, children }: RowActionProps) => (
  <button
    type="button"
    aria-label={label}
    onClick={onClick}
    disabled={disabled}
    className="relative h-pill whitespace-nowrap rounded-control px-1.5 text-fg-3 text-row enabled:hover:bg-hover enabled:hover:text-fg disabled:opacity-50"
  >
    {children}
  </button>
);
