import { percent } from '../../model/text/format.ts';
import type { ListedRun, Trial } from './evals-query.ts';

type Tone = 'quiet' | 'err' | 'warm';

export const nameOf = ({ name, id }: Pick<ListedRun, 'name' | 'id'>): string => name ?? `run ${id.slice(0, 8)}`;

/** Status text of a run. */
export function stateOf({ status, key_expires_at }: Pick<ListedRun, 'status' | 'key_expires_at'>, now = Date.now()) {
  if (status === 'succeeded') return { word: 'succeeded', tone: 'ok', title: 'It has brought its result' } as const;
  if (status === 'failed') return { word: 'failed', tone: 'err', title: 'It has ended without a result' } as const;
  if (key_expires_at === null || Date.parse(key_expires_at) <= now)
    return { word: 'abandoned', tone: 'warm', title: 'Its key has ended: no worker can report on it any more' } as const;
  if (status === 'running') return { word: 'running', tone: 'plain', title: 'A worker has claimed it' } as const;
  return { word: 'queued', tone: 'plain', title: 'No worker has claimed it yet' } as const;
}

/** Share of passed trials; null without trials. */
export const passRate = ({ passed, total }: ListedRun['trials']): string | null => (total === 0 ? null : percent(passed / total));

export const toneOf: Record<Trial['status'], Tone> = { passed: 'quiet', failed: 'err', error: 'warm' };
