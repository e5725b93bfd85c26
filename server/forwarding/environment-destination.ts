/** A destination that a gateway without a window is given by its environment. */
import type { Log } from '../platform/log.ts';
import { problemOfAddress } from './cloud-line.ts';

export interface EnvironmentDestination {
  url: string;
  app_id: string;
}

/** Null when the environment names none, or none that may be sent to. The key is read where keys are (secrets/). */
export function environmentDestination(environment: NodeJS.ProcessEnv, log: Log): EnvironmentDestination | null {
  const said = environment['GLASSHOUSE_FORWARD_URL']?.trim();
  if (!said) return null;
  const problem = problemOfAddress(said);
  if (problem === null) return { url: new URL(said).origin, app_id: environment['GLASSHOUSE_FORWARD_APP']?.trim() ?? '' };
  log.error('forward_url_refused', { variable: 'GLASSHOUSE_FORWARD_URL', reason: problem });
  return null;
}
