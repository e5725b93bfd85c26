interface RowActionProps {
  /** Accessible name, with the action and the row. */
  label: string;
  onClick: () => void;
  children: string;
}

/** A button that fits the height of a row. */
export const RowAction = ({ label, onClick, children }: RowActionProps) => (
  <button
    type="button"
    aria-label={label}
    onClick={onClick}
    className="relative h-pill whitespace-nowrap rounded-control px-1.5 text-fg-3 text-row hover:bg-hover hover:text-fg"
  >
    {children}
  </button>
);
