/** What only the cloud serves, and how a cloud whose control store is full refuses to change it. */
import type { Trigger } from '../../trigger.ts';
import { project } from '../project.ts';
import { access } from './access.ts';
import { agents } from './agents.ts';
import { alerts } from './alerts.ts';
import { environments } from './environments.ts';
import { evals } from './evals.ts';
import { experimentRuns } from './experiment-runs.ts';
import { gitHosts } from './git.ts';
import { people } from './people.ts';
import { fullControl } from './records.ts';
import { reviews } from './reviews.ts';
import { telemetry } from './telemetry.ts';
import { workers } from './workers.ts';

const changesNothing = new Set(['/test', '/search', '/find']);

/** Whatever changes something in the control store where it is well cannot do so where that is full. */
function refusedWhenFull(triggers: readonly Trigger[]): Trigger[] {
  const isChange = ({ call }: Trigger) => call === 'GET /v1/git/callback' || !call.startsWith('GET ');
  const isStill = ({ call }: Trigger) => [...changesNothing].some((end) => call.endsWith(end));
  return triggers
    .filter((each) => each.status < 400 && each.at === undefined && isChange(each) && !isStill(each))
    .map(({ type, ...each }): Trigger => ({ ...each, at: fullControl, status: 503, code: 'storage_full' }));
}

const changing = [access, people, reviews, gitHosts, alerts, environments, evals, agents, workers, project].flat();

/** Refused first: what is refused is there to be done afterwards. */
export const cloudOnly: Trigger[] = [
  ...refusedWhenFull(changing),
  ...access,
  ...people,
  ...reviews,
  ...gitHosts,
  ...alerts,
  ...environments,
  ...evals,
  ...agents,
  ...experimentRuns,
  ...workers,
  ...telemetry,
];
