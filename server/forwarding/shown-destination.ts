/** A destination as in the API. */
import type { Destination as Shown } from '../../shared/contract/operations/destination.ts';
import type { ForwardRecord, PendingCounts } from '../telemetry/forward-store.ts';
import { problemOfAddress } from './cloud-line.ts';
import type { Destination } from './destination.ts';
import { readAbout, readLastError } from './destination-about.ts';
import { environmentName } from './secrets/environment-secrets.ts';

const isoTime = (ms: number): string => new Date(ms).toISOString();
const isoTimeOrNull = (ms: number | null): string | null => (ms === null ? null : isoTime(ms));

/** @param destination absent while it is being removed */
export function shownDestination(
  record: ForwardRecord,
  destination: Destination | undefined,
  pending: PendingCounts,
  isDurable: boolean,
): Shown {
  const { installation: _, ...about } = destination?.about ?? readAbout(record.about);
  const error = readLastError(record.last_error);
  const { spans, logs, scores, dead_letters, oldest_ms } = pending;
  return {
    name: record.name,
    ...about,
    viewer_url: about.viewer_url ?? (problemOfAddress(about.url) === null ? about.url : null),
    automatic: record.automatic,
    key: {
      shown: destination?.shownKey ?? null,
      kept: record.name === environmentName ? 'environment' : isDurable ? 'durably' : 'until_restart',
    },
    state: destination?.state ?? { is: 'off', why: null, message: '', since: null, until: null },
    waiting: { spans, logs, scores, oldest: isoTimeOrNull(oldest_ms) },
    sent: record.sent,
    refused: record.refused,
    refusal: record.refusal,
    dead_letters,
    spans_per_second: destination?.spansPerSecond ?? 0,
    last_success: isoTimeOrNull(record.success_ms),
    receipt: record.receipt || null,
    last_error: error && { at: isoTime(error.at_ms), code: error.code, message: error.message },
    created_at: isoTime(record.created_ms),
  };
}
