/** Destination as in the API. */
import type { Destination as Shown } from '../../shared/contract/operations/destination.ts';
import type { ForwardRecord, Waiting } from '../telemetry/forward-store.ts';
import type { Destination } from './destination.ts';
import { readAbout, readLastError } from './destination-about.ts';
import { environmentName } from './secrets/environment-secrets.ts';

const moment = (ms: number): string => new Date(ms).toISOString();
const momentOrNull = (ms: number | null): string | null => (ms === null ? null : moment(ms));

/** @param destination absent while it is being removed */
export function shownDestination(record: ForwardRecord, destination: Destination | undefined, waiting: Waiting, isDurable: boolean): Shown {
  const { installation: _, ...about } = destination?.about ?? readAbout(record.about);
  const error = readLastError(record.last_error);
  const { spans, logs, scores, dead_letters, oldest_ms } = waiting;
  return {
    name: record.name,
    ...about,
    automatic: record.automatic,
    key: {
      shown: destination?.shownKey ?? null,
      kept: record.name === environmentName ? 'environment' : isDurable ? 'durably' : 'until_restart',
    },
    state: destination?.state ?? { is: 'off', why: null, message: '', since: null, until: null },
    waiting: { spans, logs, scores, oldest: momentOrNull(oldest_ms) },
    sent: record.sent,
    refused: record.refused,
    refusal: record.refusal,
    dead_letters,
    spans_per_second: destination?.spansPerSecond ?? 0,
    last_success: momentOrNull(record.success_ms),
    receipt: record.receipt || null,
    last_error: error && { at: moment(error.at_ms), code: error.code, message: error.message },
    created_at: moment(record.created_ms),
  };
}
