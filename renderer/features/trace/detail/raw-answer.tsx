import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { RawSpanReply } from '../../../../shared/contract/tracing/raw-span.ts';
import { asFailure } from '../../../api/failure.ts';
import { plural } from '../../../model/text/format.ts';
import { droppedBySender } from '../../../model/trace/span-events.ts';
import type { TruncatedText } from '../../../model/trace/truncate-texts.ts';
import { FailedState } from '../../../ui/primitives/failed-state.tsx';
import { SkeletonRows } from '../../../ui/primitives/skeleton.tsx';
import { Text } from '../../../ui/primitives/text.tsx';
import type { LightRaw } from './span-query.ts';

export type RawQuery = UseQueryResult<LightRaw>;

/** Loading and error states of the tabs that show the span as it was received. */
export function RawAnswer({
  raw,
  children,
}: {
  raw: RawQuery;
  children: (span: RawSpanReply, cuts: readonly TruncatedText[]) => ReactNode;
}) {
  if (raw.data)
    return (
      <>
        <Notices raw={raw.data.value} />
        {children(raw.data.value, raw.data.cuts)}
      </>
    );
  if (raw.isError)
    return <FailedState failure={asFailure(raw.error, 'The raw span could not be loaded')} onRetry={() => void raw.refetch()} />;
  return <SkeletonRows rows={8} label="Loading the raw span" />;
}

/** Warnings: values that the sender dropped, and values that were interpreted differently from how they were written. */
function Notices({ raw: { span, warnings } }: { raw: RawSpanReply }) {
  const dropped = droppedBySender(span).map(
    ({ what, count }) => `${plural(count, what.slice(0, -1))} dropped by the sender before sending`,
  );
  const notices = [...dropped, ...warnings];
  if (notices.length === 0) return null;
  return (
    <ul className="grid gap-1">
      {notices.map((notice) => (
        <Text as="li" key={notice} tone="warm" className="wrap-anywhere">
          {notice}
        </Text>
      ))}
    </ul>
  );
}
