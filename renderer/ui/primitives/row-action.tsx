interface RowActionProps {
  /** What it does and to which row, for those who hear it. */
  label: string;
  onClick: () => void;
  children: string;
}

/** What can be done with a row, within its height. */
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
