import { X } from 'lucide-react';
import type { IngestLogEntry } from '../../../shared/contract/viewer/viewer.ts';
import { bytes, count, duration } from '../../model/text/format.ts';
import { exactly, milliseconds } from '../../model/time/time.ts';
import { KeyValues } from '../../ui/lists/key-values.tsx';
import { IconButton } from '../../ui/primitives/button.tsx';
import { Icon } from '../../ui/primitives/icon.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { LongText } from '../../ui/viewers/long-text.tsx';
import { adviceOn, listed } from './advice.ts';
import { isRejected } from './columns.tsx';

/** Details of one request. They are below the list, so that keys still move through its rows. */
export function EntryDetail({ entry, onClose }: { entry: IngestLogEntry; onClose: () => void }) {
  const advice = adviceOn(entry);
  const rows = {
    Received: exactly(entry.at),
    Request: `POST ${entry.path}`,
    Body: `${entry.media_type || 'no media type'}${entry.encoding ? `, ${entry.encoding}` : ''}, ${bytes(entry.bytes)}`,
    Spans: `${count(entry.spans_accepted)} stored, ${count(entry.spans_duplicate)} duplicate, ${count(entry.spans_rejected)} rejected`,
    Instrumentation: listed(entry.families, 'no known convention') || '—',
    'Semantic kinds': listed(entry.kinds, 'unknown') || '—',
    Duration: duration(milliseconds(entry.duration_ms)),
    Sender: entry.user_agent || 'unknown',
    ...(entry.batch === null ? {} : { Batch: entry.batch }),
    ID: entry.id,
  };
  return (
    <section aria-label="Request" className="max-h-1/2 shrink-0 overflow-auto border-line border-t bg-panel px-pad py-2">
      <div className="flex items-start gap-2 pb-2">
        <Text mono size="section" tone={isRejected(entry) ? 'err' : 'ok'}>
          {`${entry.status} ${entry.code ?? ''}`}
        </Text>
        <div className="min-w-0 flex-1">
          <LongText text={entry.message || 'Accepted.'} />
          {advice && (
            <Text as="p" size="body" tone="accent">
              {advice}
            </Text>
          )}
        </div>
        <IconButton label="Close" onClick={onClose}>
          <Icon of={X} />
        </IconButton>
      </div>
      <div className="max-w-measure">
        <KeyValues rows={Object.entries(rows).map(([key, text]) => ({ key, text, value: <LongText text={text} mono /> }))} />
      </div>
    </section>
  );
}
