/** How a trace went. That it failed, and that spans inside it failed, are two facts: many agents recover from the error of a tool. */
import type { TraceItem } from '../../../shared/contract/tracing/traces.ts';
import { plural } from '../text/format.ts';

type Counted = Pick<TraceItem, 'status' | 'error_count'>;

export const isFailed = ({ status }: Pick<Counted, 'status'>) => status === 'ERROR';

/** Failed spans below the root. */
export const errorsInside = ({ status, error_count }: Counted) => Math.max(0, error_count - (status === 'ERROR' ? 1 : 0));

export const errorsInsideText = (errors: number) => `${plural(errors, 'error')} inside`;

/** `1 failed, 2 with errors inside`; '' when nothing went wrong. A failed trace is counted once. */
export function outcomesText(traces: readonly Counted[]): string {
  const failed = traces.filter(isFailed).length;
  const withErrors = traces.filter((trace) => !isFailed(trace) && trace.error_count > 0).length;
  return [
    failed > 0 && `${plural(failed, 'failed', 'failed')}`,
    withErrors > 0 && `${plural(withErrors, 'with errors inside', 'with errors inside')}`,
  ]
    .filter(Boolean)
    .join(', ');
}
