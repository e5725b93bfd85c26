/** Admission of agent runs, by plan and running work. */

import type { Origin } from '../../../agent-runs/agent-runtime.ts';
import type { Dispatcher } from '../../../agent-runs/dispatcher.ts';
import { fail, failForNow } from '../../../app/fail.ts';
import { assertInPlan } from '../../../app/plan-limits.ts';
import { WorkspaceBusy } from '../../../control/agent-run-store.ts';
import { LimitReached } from '../../../control/limit-reached.ts';
import type { Plans } from '../../../limits/plans.ts';
import type { Scope } from '../../../platform/scope.ts';

/** Retry-After for a busy workspace: turns take minutes. */
const busySeconds = 15;

/** Rejects the request where the plan has no agent runs. @returns how many runs may be active at once; null for any number */
export async function activeRunsMax(plans: Plans, { tenant_id }: Scope): Promise<number | null> {
  const limits = await plans.of(tenant_id);
  assertInPlan(limits, 'workers_enabled');
  return limits.worker_concurrency;
}

/** Rejects the request on a gateway without agents. Retrying does not help until they are configured. */
export function assertAgentsConfigured({ isConfigured }: Dispatcher): void {
  if (!isConfigured)
    fail('workers_not_configured', 'This deployment runs no coding agents. docs/coding-agents.md says how its operator sets them up');
}

/** Translates refusals of the store. */
export async function translateRefusals<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof WorkspaceBusy) failForNow('environment_busy', error.message, busySeconds, { run_id: error.run_id });
    if (error instanceof LimitReached) {
      const { current, limit } = error;
      fail('entitlement_required', `The plan allows ${limit} worker runs at once`, { entitlement: 'worker_concurrency', current, limit });
    }
    throw error;
  }
}

type Problem = { part: 'repo' | 'base'; problem: string } | null;

/** Rejects the request for an invalid starting point. @param baseField its name in the body */
export async function assertUsable(
  dispatcher: { problemOf(origin: Origin): Promise<Problem> },
  origin: Origin,
  baseField: string,
): Promise<void> {
  const found = await dispatcher.problemOf(origin);
  if (!found) return;
  const field = found.part === 'repo' ? 'repo' : baseField;
  fail('invalid_request_body', 'Invalid request body', { details: { [field]: found.problem }, field });
}

/** The repository that an app is linked to, where workers have it: the link may be for deployments only. */
export async function linkedRepo(
  dispatcher: { problemOf(origin: Origin): Promise<Problem> },
  scope: Scope,
  link: { repository: string } | null,
): Promise<string | null> {
  if (!link) return null;
  const found = await dispatcher.problemOf({ scope, repo: link.repository, base: null });
  return found?.part === 'repo' ? null : link.repository;
}
