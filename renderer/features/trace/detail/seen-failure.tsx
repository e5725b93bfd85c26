import type { SpanInTrace } from '../../../../shared/contract/tracing/spans.ts';
import { useSeenBefore } from '../../../api/seen-before.ts';
import { SeenBeforeCard } from '../../../ui/viewers/seen-before-card.tsx';

/** At a span that failed: what is known about other runs with the failure of its trace. It does not wait for it, nor say that it is unknown. */
export function SeenFailure({ span, isEnabled }: { span: Pick<SpanInTrace, 'status' | 'trace_id'>; isEnabled: boolean }) {
  const isFailed = span.status === 'ERROR';
  const { data } = useSeenBefore(span.trace_id, isFailed && isEnabled);
  return isFailed && data ? <SeenBeforeCard traceId={span.trace_id} seen={data} /> : null;
}
