import { useState } from 'react';
import { exactly } from '../../../model/time/time.ts';
import { CopyButton } from '../../../ui/primitives/copy-button.tsx';
import { Segmented } from '../../../ui/primitives/segmented.tsx';
import { Text } from '../../../ui/primitives/text.tsx';
import { asOtlp } from '../header/copies.ts';
import { LargeValue } from './large-value.tsx';
import { RawAnswer, type RawQuery } from './raw-answer.tsx';
import { rawPath } from './span-query.ts';
import { Why } from './why.tsx';

/** Fields of the response that are shown as received; the others are derived. */
const received = ['span', 'scope', 'resource', 'logs'] as const;

const views = [
  { id: 'received', label: 'As received' },
  { id: 'why', label: 'Value sources' },
] as const;

interface RawTabProps {
  raw: RawQuery;
  traceId: string;
  spanId: string;
}

/** The raw span, and from where in it each value on the page was read. */
export function RawTab({ raw, traceId, spanId }: RawTabProps) {
  const [view, setView] = useState<(typeof views)[number]['id']>('received');
  return (
    <RawAnswer raw={raw}>
      {(value) => (
        <>
          <div className="flex flex-wrap items-center gap-2">
            <Segmented label="Raw view" options={views} value={view} onChange={setView} />
            <Text tone="dim" className="ml-auto">{`received ${exactly(value.received_at)}`}</Text>
            <CopyButton text={() => asOtlp(traceId, spanId)} label="Copy OTLP" />
          </div>
          {view === 'why' ? (
            <Why raw={value} />
          ) : (
            <LargeValue label="Raw span" path={rawPath(traceId, spanId)} pick={[]} fields={received} isTall />
          )}
        </>
      )}
    </RawAnswer>
  );
}
