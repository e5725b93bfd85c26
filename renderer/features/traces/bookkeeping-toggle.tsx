import { plural } from '../../model/text/format.ts';
import { CheckField } from '../../ui/primitives/check-field.tsx';
import { changedView, type TracesView } from './url.ts';

interface BookkeepingToggleProps {
  view: TracesView;
  /** Number of hidden bookkeeping traces. */
  hiddenCount: number;
  onView: (view: TracesView) => void;
}

/**
 * Checkbox that shows bookkeeping traces. Coding agents trace their own runtime: one question to Codex makes about twenty traces. The list
 * hides them by default; without any the checkbox is not shown.
 */
export function BookkeepingToggle({ view, hiddenCount, onView }: BookkeepingToggleProps) {
  const isShown = view.bookkeeping === 'include';
  if (!isShown && hiddenCount === 0) return null;
  return (
    <span className="shrink-0" title="Traces of a coding agent's own runtime, such as reading its settings">
      <CheckField
        label="Bookkeeping"
        isOn={isShown}
        onChange={(next) => onView(changedView(view, { bookkeeping: next ? 'include' : undefined }))}
        {...(isShown ? {} : { help: `${plural(hiddenCount, 'trace')} hidden` })}
      />
    </span>
  );
}
