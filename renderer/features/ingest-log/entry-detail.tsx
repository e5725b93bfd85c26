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
import { isRefused } from './columns.tsx';

/** Details of one request. Below the list, so that one key moves to the next row. */
export function EntryDetail({ entry, onClose }: { entry: IngestLogEntry; onClose: () => void }) {
  const advice = adviceOn(entry);
  const rows = {
    received: exactly(entry.at),
    request: `POST ${entry.path}`,
    body: `${entry.media_type || 'no media type'}${entry.encoding ? `, ${entry.encoding}` : ''}, ${bytes(entry.bytes)}`,
    spans: `${count(entry.spans_accepted)} stored, ${count(entry.spans_duplicate)} stored before, ${count(entry.spans_rejected)} refused`,
    'written by': listed(entry.families, 'no convention we know') || '—',
    'semantic kinds': listed(entry.kinds, 'unknown') || '—',
    took: duration(milliseconds(entry.duration_ms)),
    sender: entry.user_agent || 'did not say',
    ...(entry.batch === null ? {} : { batch: entry.batch }),
    id: entry.id,
  };
  return (
    <section aria-label="Request" className="max-h-1/2 shrink-0 overflow-auto border-line border-t bg-panel px-pad py-2">
      <div className="flex items-start gap-2 pb-2">
        <Text mono size="section" tone={isRefused(entry) ? 'err' : 'ok'}>
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
