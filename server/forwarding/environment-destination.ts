/** The destination from environment variables, for gateways without a window. */
import type { Log } from '../platform/log.ts';
import { problemOfAddress } from './cloud-line.ts';

export interface EnvironmentDestination {
  url: string;
  app_id: string;
}

/** Null when the variable is not set or has no valid address. The key is read by the secret store (secrets/). */
export function environmentDestination(environment: NodeJS.ProcessEnv, log: Log): EnvironmentDestination | null {
  const address = environment['GLASSHOUSE_FORWARD_URL']?.trim();
  if (!address) return null;
  const problem = problemOfAddress(address);
  if (problem === null) return { url: new URL(address).origin, app_id: environment['GLASSHOUSE_FORWARD_APP']?.trim() ?? '' };
  log.error('forward_url_refused', { variable: 'GLASSHOUSE_FORWARD_URL', reason: problem });
  return null;
}
