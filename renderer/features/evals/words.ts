import { percent } from '../../model/text/format.ts';
import type { ListedRun, Trial } from './evals-query.ts';

type Tone = 'quiet' | 'err' | 'warm';

export const nameOf = ({ name, id }: Pick<ListedRun, 'name' | 'id'>): string => name ?? `Run ${id.slice(0, 8)}`;

/** Status of a run, with tone and tooltip. */
export function stateOf({ status, key_expires_at }: Pick<ListedRun, 'status' | 'key_expires_at'>, now = Date.now()) {
  if (status === 'succeeded') return { word: 'Succeeded', tone: 'ok', title: 'The run has a result' } as const;
  if (status === 'failed') return { word: 'Failed', tone: 'err', title: 'The run ended without a result' } as const;
  if (key_expires_at === null || Date.parse(key_expires_at) <= now)
    return { word: 'Abandoned', tone: 'warm', title: 'Its key has expired, so no worker can report on it' } as const;
  if (status === 'running') return { word: 'Running', tone: 'plain', title: 'A worker has claimed it' } as const;
  return { word: 'Queued', tone: 'plain', title: 'No worker has claimed it yet' } as const;
}

/** Share of passed trials; null without trials. */
export const passRate = ({ passed, total }: ListedRun['trials']): string | null => (total === 0 ? null : percent(passed / total));

export const trialLabels: Record<Trial['status'], string> = { passed: 'Passed', failed: 'Failed', error: 'Error' };

export const toneOf: Record<Trial['status'], Tone> = { passed: 'quiet', failed: 'err', error: 'warm' };
