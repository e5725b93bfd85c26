/** Triggers for the cloud only, and refusals of a cloud whose control store is full. */
import type { Trigger } from '../../trigger.ts';
import { project } from '../project.ts';
import { access } from './access.ts';
import { agents } from './agents.ts';
import { alerts } from './alerts.ts';
import { environments } from './environments.ts';
import { evals } from './evals.ts';
import { experimentRuns } from './experiment-runs.ts';
import { gitHosts } from './git.ts';
import { forgottenPasswords, people } from './people.ts';
import { fullControl } from './records.ts';
import { reviews } from './reviews.ts';
import { sharedReads, shareLinks } from './share-links.ts';
import { telemetry } from './telemetry.ts';
import { workers } from './workers.ts';

const readOnlySuffixes = new Set(['/test', '/search', '/find', '/preview']);

/** Every successful change of the control store must be refused when the store is full. */
function refusedWhenFull(triggers: readonly Trigger[]): Trigger[] {
  const isChange = ({ call }: Trigger) => call === 'GET /v1/git/callback' || !call.startsWith('GET ');
  const isReadOnly = ({ call }: Trigger) => [...readOnlySuffixes].some((suffix) => call.endsWith(suffix));
  return triggers
    .filter((each) => each.status < 400 && each.at === undefined && isChange(each) && !isReadOnly(each))
    .map(({ type, ...each }): Trigger => ({ ...each, at: fullControl, status: 503, code: 'storage_full' }));
}

const changing = [access, people, reviews, shareLinks, gitHosts, alerts, environments, evals, agents, workers, project].flat();

/** Refusals first, because their records must still exist. */
export const cloudOnly: Trigger[] = [
  ...refusedWhenFull(changing),
  ...access,
  ...people,
  ...forgottenPasswords,
  ...reviews,
  ...sharedReads,
  ...shareLinks,
  ...gitHosts,
  ...alerts,
  ...environments,
  ...evals,
  ...agents,
  ...experimentRuns,
  ...workers,
  ...telemetry,
];
