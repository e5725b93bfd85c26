import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { RawSpanReply } from '../../../shared/contract/raw-span.ts';
import { asFailure } from '../../api/failure.ts';
import { plural } from '../../model/format.ts';
import { droppedBySender } from '../../model/span-events.ts';
import { FailedState } from '../../ui/failed-state.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { Text } from '../../ui/text.tsx';

export type RawQuery = UseQueryResult<RawSpanReply>;

/** The three tabs that show the span as it was received share how they wait and fail. */
export function RawAnswer({ raw, children }: { raw: RawQuery; children: (span: RawSpanReply) => ReactNode }) {
  if (raw.data)
    return (
      <>
        <Notices raw={raw.data} />
        {children(raw.data)}
      </>
    );
  if (raw.isError)
    return <FailedState failure={asFailure(raw.error, 'The span as received could not be read')} onRetry={() => void raw.refetch()} />;
  return <SkeletonRows rows={8} label="Loading the span as received" />;
}

/** What is not there although it was measured, and what was read differently from how it was written. */
function Notices({ raw: { span, warnings } }: { raw: RawSpanReply }) {
  const dropped = droppedBySender(span).map(
    ({ what, count }) => `${plural(count, what.slice(0, -1))} dropped by the sender before sending`,
  );
  const notices = [...dropped, ...warnings];
  if (notices.length === 0) return null;
  return (
    <ul className="grid gap-1">
      {notices.map((notice) => (
        <Text as="li" key={notice} tone="warm">
          {notice}
        </Text>
      ))}
    </ul>
  );
}
