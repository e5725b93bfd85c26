import { plural } from '../../model/text/format.ts';
import { CheckField } from '../../ui/primitives/check-field.tsx';
import { changedView, type TracesView } from './url.ts';

interface FoldedTracesProps {
  view: TracesView;
  /** Traces that the list leaves out. */
  folded: number;
  onView: (view: TracesView) => void;
}

/**
 * Toggle for bookkeeping traces. Coding agents trace their own runtime: one question to Codex makes some twenty traces. The list hides them
 * by default; without any there is no toggle.
 */
export function FoldedTraces({ view, folded, onView }: FoldedTracesProps) {
  const isShown = view.bookkeeping === 'include';
  if (!isShown && folded === 0) return null;
  return (
    <span className="shrink-0" title="Traces of a coding agent's own runtime, such as reading its settings">
      <CheckField
        label="bookkeeping"
        isOn={isShown}
        onChange={(next) => onView(changedView(view, { bookkeeping: next ? 'include' : undefined }))}
        {...(isShown ? {} : { help: `${plural(folded, 'trace')} folded away` })}
      />
    </span>
  );
}
