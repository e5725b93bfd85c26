import { useState } from 'react';
import type { HiddenKind, RedactionPreview as Preview, RedactionPolicy } from '../../../shared/contract/operations/redaction.ts';
import { asFailure } from '../../api/failure.ts';
import { bytes, plural } from '../../model/text/format.ts';
import { Button } from '../../ui/primitives/button.tsx';
import { EmptyState } from '../../ui/primitives/empty-state.tsx';
import { FailedState } from '../../ui/primitives/failed-state.tsx';
import { Pill } from '../../ui/primitives/pill.tsx';
import { useSettled } from '../../ui/primitives/settled-value.ts';
import { SkeletonCards } from '../../ui/primitives/skeleton.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { kindCount } from './kind-labels.ts';
import { PreviewedSpan } from './previewed-span.tsx';
import { useRedactionPreview } from './redaction-query.ts';

interface RedactionPreviewProps {
  /** Null while the form is invalid. */
  policy: RedactionPolicy | null;
  /** The newest spans of all traces if absent. */
  traceId: string | undefined;
}

/** Spans as redacted by the rules, updated when the rules change. */
export function RedactionPreview({ policy, traceId }: RedactionPreviewProps) {
  const [page, setPage] = useState(1);
  const text = useSettled(JSON.stringify(policy));
  const [previewed, setPreviewed] = useState(policy);
  if (text !== undefined && text !== JSON.stringify(previewed)) {
    setPreviewed(policy);
    setPage(1);
  }
  const preview = useRedactionPreview(previewed, traceId, page);
  if (preview.isError)
    return <FailedState failure={asFailure(preview.error, 'The preview could not be loaded')} onRetry={() => void preview.refetch()} />;
  if (!preview.data) return <SkeletonCards label="Loading preview" />;
  const { spans, totals, more } = preview.data;
  if (spans.length === 0) return <EmptyState title="No spans to preview yet">The preview appears when the first span arrives.</EmptyState>;
  return (
    <div className="grid content-start gap-2.5" aria-busy={preview.isPlaceholderData}>
      <Totals totals={totals} isTrace={traceId !== undefined} />
      {spans.map((span) => (
        <PreviewedSpan key={`${span.trace_id} ${span.span_id}`} span={span} />
      ))}
      <div className="flex items-center gap-2">
        {page > 1 && <Button onClick={() => setPage(page - 1)}>Previous spans</Button>}
        {more && <Button onClick={() => setPage(page + 1)}>Next spans</Button>}
        <Button onClick={() => void preview.refetch()}>Refresh</Button>
      </div>
    </div>
  );
}

function Totals({ totals, isTrace }: { totals: Preview['totals']; isTrace: boolean }) {
  const { spans, retained, changed, dropped, hidden, bytes_before, bytes_after } = totals;
  const subject = isTrace ? plural(spans, 'span') : `The newest ${plural(spans, 'span')}`;
  return (
    <div role="status" aria-label="Preview totals" className="grid gap-1.5">
      <Text as="p" size="body">
        {`${subject}: ${retained} not sent, ${changed} sent with changes, ${spans - retained - changed} sent unchanged. ${bytes(bytes_after)} of ${bytes(bytes_before)} sent, before compression.`}
      </Text>
      <div className="flex flex-wrap gap-1.5">
        {(Object.entries(hidden) as [HiddenKind, number][]).map(([kind, count]) => (
          <Pill key={kind}>{kindCount(kind, count)}</Pill>
        ))}
        {dropped > 0 && <Pill>{`${plural(dropped, 'value')} dropped`}</Pill>}
      </div>
    </div>
  );
}
