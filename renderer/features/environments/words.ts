/** Texts of environments and deployments. */
import type { Deployment, Environment } from './environments-query.ts';

/** Git's null commit, before the first push. */
const noCommit = /^0+$/;

export const commitInWords = (sha: string | null): string => (sha === null ? '—' : noCommit.test(sha) ? 'no commit' : sha.slice(0, 7));

export const versionInWords = ({ is_default, current_version }: Environment): string =>
  is_default ? 'follows the branch' : current_version === null ? 'none yet' : `version ${current_version}`;

const states = {
  running: { word: 'Running', tone: 'warm' },
  success: { word: 'Succeeded', tone: 'ok' },
  failure: { word: 'Failed', tone: 'err' },
} as const;

export const stateOf = ({ deployment_status: status }: Deployment) =>
  status ? states[status] : { word: 'Not started', tone: 'dim' as const };

/** Origin of a deployment: push, promotion or rollback. */
export function originOf({ deployment_type, source_env_id, initiated_by }: Deployment, environmentId: string | undefined): string {
  if (deployment_type !== 'manual') return `${deployment_type === 'push' ? 'pushed' : 'deployed'} by ${initiated_by}`;
  if (source_env_id === null) return 'manual';
  return source_env_id === environmentId ? 'rollback' : 'promotion';
}

/** Failure reasons of the files and the code. */
export const reasonOf = ({ failure_reason, code_failure_reason }: Deployment): string =>
  [failure_reason, code_failure_reason].filter(Boolean).join('; ');

/** Whether the environment can be rolled back to a deployment: an earlier version that succeeded and is not a rollback itself. */
export const canRollBackTo = (
  { current_version, id }: Environment,
  { deployment_status, env_version, source_env_id }: Deployment,
): boolean =>
  current_version !== null &&
  env_version !== null &&
  env_version < current_version &&
  deployment_status === 'success' &&
  source_env_id !== id;
