import type { TraceItem } from '../../../shared/contract/traces.ts';
import { cost, plural, tokens } from '../../model/format.ts';

/** What the traces on this page add up to. The whole list's sums are not known without reading all of it. */
export function PageSums({ rows }: { rows: readonly TraceItem[] }) {
  const sum = (of: (trace: TraceItem) => number) => rows.reduce((all, trace) => all + of(trace), 0);
  const failed = rows.filter((trace) => trace.status === 'ERROR').length;
  return (
    <>
      <span className="text-fg-3">this page</span>
      <span className="tabular-nums">{`${failed} failed`}</span>
      <span className="tabular-nums">{`${tokens(sum((trace) => trace.tokens))} tokens`}</span>
      <span className="tabular-nums">{cost(sum((trace) => trace.cost))}</span>
      <span className="tabular-nums">
        {plural(
          sum((trace) => trace.span_count),
          'span',
        )}
      </span>
    </>
  );
}
