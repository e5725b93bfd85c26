interface FieldNoteProps {
  /** What the field is described by. */
  id: string;
  problem: string | undefined;
  help: string | undefined;
}

/** Under a field: what is wrong with it, or else what it is for. */
export function FieldNote({ id, problem, help }: FieldNoteProps) {
  if (problem)
    return (
      <span id={id} className="wrap-anywhere text-err text-label">
        {problem}
      </span>
    );
  return (
    help && (
      <span id={id} className="text-fg-3 text-label">
        {help}
      </span>
    )
  );
}
