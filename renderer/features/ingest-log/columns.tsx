import { Link } from '@tanstack/react-router';
import type { IngestLogEntry } from '../../../shared/contract/viewer/viewer.ts';
import { bytes, count, duration } from '../../model/text/format.ts';
import { exactly, milliseconds, when } from '../../model/time/time.ts';
import type { Column } from '../../ui/lists/data-list.tsx';
import { Quantity } from '../../ui/primitives/quantity.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { adviceOn, listed } from './advice.ts';

/** Whether the request, or some of its spans, were rejected. */
export const isRejected = ({ status, spans_rejected }: IngestLogEntry) => status >= 400 || spans_rejected > 0;

/** Link that covers the whole row and opens the details of the request. */
const Reason = ({ entry }: { entry: IngestLogEntry }) => (
  <Link
    to="/ingest-log"
    search={(now) => ({ ...now, entry: entry.id })}
    replace
    title={entry.message}
    className="block truncate text-row after:absolute after:inset-0"
  >
    <span className={isRejected(entry) ? 'text-err' : 'text-fg-3'}>
      {entry.code ?? (entry.spans_rejected > 0 ? 'Partly rejected' : 'Accepted')}
    </span>
    {entry.message && <span className="text-fg-2">{` ${entry.message}`}</span>}
    {!entry.message && adviceOn(entry) && <span className="text-fg-3">{` ${adviceOn(entry)}`}</span>}
  </Link>
);

export const ingestColumns: Column<IngestLogEntry>[] = [
  {
    id: 'at',
    head: 'Time',
    width: 'var(--width-when)',
    cell: ({ at }) => (
      <Text mono tone="quiet" title={exactly(at)}>
        {when(at)}
      </Text>
    ),
  },
  {
    id: 'status',
    head: 'Status',
    width: 'var(--width-code)',
    cell: (entry) => (
      <Text mono tone={isRejected(entry) ? 'err' : 'ok'}>
        {entry.status}
      </Text>
    ),
  },
  { id: 'reason', head: 'Outcome', width: 'minmax(0, 3fr)', cell: (entry) => <Reason entry={entry} /> },
  {
    id: 'path',
    head: 'Path',
    width: 'var(--width-word)',
    wideOnly: true,
    cell: ({ path }) => (
      <Text as="div" mono tone="dim" cut title={path}>
        {path}
      </Text>
    ),
  },
  {
    id: 'media',
    head: 'Body',
    width: 'var(--width-when)',
    wideOnly: true,
    cell: ({ media_type, encoding }) => (
      <Text as="div" mono tone="dim" cut title={`${media_type} ${encoding}`}>
        {[media_type.replace(/^application\/(x-)?/, '') || 'no type', encoding === 'identity' ? '' : encoding].filter(Boolean).join(' ')}
      </Text>
    ),
  },
  {
    id: 'family',
    head: 'Instrumentation',
    width: 'var(--width-word)',
    cell: ({ families }) => (
      <Text as="div" tone="dim" cut title={listed(families, 'plain')}>
        {Object.keys(families)
          .map((family) => family || 'plain')
          .join(', ')}
      </Text>
    ),
  },
  {
    id: 'bytes',
    head: 'Size',
    width: 'var(--width-total)',
    end: true,
    cell: (entry) => <Quantity value={bytes(entry.bytes)} title="As sent, before decompression" />,
  },
  {
    id: 'accepted',
    head: 'Stored',
    width: 'var(--width-count)',
    end: true,
    cell: (entry) => <Quantity value={count(entry.spans_accepted)} />,
  },
  {
    id: 'duplicate',
    head: 'Duplicates',
    width: 'var(--width-count)',
    end: true,
    wideOnly: true,
    cell: ({ spans_duplicate }) =>
      spans_duplicate > 0 ? (
        <Quantity value={count(spans_duplicate)} title="Spans that were stored already; the exporter sent them again" />
      ) : null,
  },
  {
    id: 'rejected',
    head: 'Rejected',
    width: 'var(--width-count)',
    end: true,
    cell: ({ spans_rejected }) =>
      spans_rejected > 0 ? (
        <Text as="div" tone="err" className="num">
          {count(spans_rejected)}
        </Text>
      ) : null,
  },
  {
    id: 'duration',
    head: 'Duration',
    width: 'var(--width-duration)',
    end: true,
    cell: (entry) => <Quantity value={duration(milliseconds(entry.duration_ms))} />,
  },
  {
    id: 'agent',
    head: 'Sender',
    width: 'minmax(0, 1fr)',
    wideOnly: true,
    cell: ({ user_agent }) => (
      <Text as="div" tone="dim" cut title={user_agent}>
        {user_agent}
      </Text>
    ),
  },
];
