import { useState } from 'react';
import type { HiddenKind, ValvePreview as Preview, ValvePolicy } from '../../../shared/contract/valve.ts';
import { asFailure } from '../../api/failure.ts';
import { bytes, plural } from '../../model/format.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FailedState } from '../../ui/failed-state.tsx';
import { Pill } from '../../ui/pill.tsx';
import { useRested } from '../../ui/rested.ts';
import { SkeletonCards } from '../../ui/skeleton.tsx';
import { Text } from '../../ui/text.tsx';
import { kindCount } from './kind-words.ts';
import { PreviewedSpan } from './previewed-span.tsx';
import { useValvePreview } from './valve-query.ts';

interface ValvePreviewProps {
  /** Null while the form says what cannot be. */
  policy: ValvePolicy | null;
  /** Absent: the newest spans of all. */
  traceId: string | undefined;
}

/** What would leave, span by span, as the rules are changed. */
export function ValvePreview({ policy, traceId }: ValvePreviewProps) {
  const [page, setPage] = useState(1);
  const text = useRested(JSON.stringify(policy));
  const [tried, setTried] = useState(policy);
  if (text !== undefined && text !== JSON.stringify(tried)) {
    setTried(policy);
    setPage(1);
  }
  const preview = useValvePreview(tried, traceId, page);
  if (preview.isError)
    return <FailedState failure={asFailure(preview.error, 'What would leave could not be shown')} onRetry={() => void preview.refetch()} />;
  if (!preview.data) return <SkeletonCards label="Looking at what would leave" />;
  const { spans, totals, more } = preview.data;
  if (spans.length === 0)
    return (
      <EmptyState title="Nothing is here to try the rules on">
        As soon as a program sends a span, this shows what of it would leave.
      </EmptyState>
    );
  return (
    <div className="grid content-start gap-2.5" aria-busy={preview.isPlaceholderData}>
      <Totals totals={totals} isTrace={traceId !== undefined} />
      {spans.map((span) => (
        <PreviewedSpan key={`${span.trace_id} ${span.span_id}`} span={span} />
      ))}
      <div className="flex items-center gap-2">
        {page > 1 && <Button onClick={() => setPage(page - 1)}>Spans before these</Button>}
        {more && <Button onClick={() => setPage(page + 1)}>More spans</Button>}
        <Button onClick={() => void preview.refetch()}>Look again</Button>
      </div>
    </div>
  );
}

function Totals({ totals, isTrace }: { totals: Preview['totals']; isTrace: boolean }) {
  const { spans, stay, changed, dropped, hidden, bytes_before, bytes_after } = totals;
  const what = isTrace ? plural(spans, 'span') : `The newest ${plural(spans, 'span')}`;
  return (
    <div role="status" aria-label="What would leave" className="grid gap-1.5">
      <Text as="p" size="body">
        {`${what}: ${stay} ${stay === 1 ? 'stays' : 'stay'} here, ${changed} ${changed === 1 ? 'leaves' : 'leave'} changed, ${spans - stay - changed} as ${spans - stay - changed === 1 ? 'it is' : 'they are'}. ${bytes(bytes_after)} of ${bytes(bytes_before)} would leave, before compression.`}
      </Text>
      <div className="flex flex-wrap gap-1.5">
        {(Object.entries(hidden) as [HiddenKind, number][]).map(([kind, count]) => (
          <Pill key={kind}>{kindCount(kind, count)}</Pill>
        ))}
        {dropped > 0 && <Pill>{`${plural(dropped, 'value')} left out`}</Pill>}
      </div>
    </div>
  );
}
