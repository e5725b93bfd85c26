/**
 * Eval runs (docs/reference/records.md#eval-runs): created with a key of their own and updated by reports. One report ends the run, and the
 * key with it.
 */
import type { Permission } from '../../../shared/contract/identity/permissions.ts';
import { fail } from '../../app/fail.ts';
import { Answer, defineModule } from '../../app/module.ts';
import type { EnvironmentStore } from '../../control/environment-store.ts';
import type { EvalReport, EvalStatus } from '../../control/eval-run-store.ts';
import type { Principal } from '../../identity/authenticator.ts';
import { newKeyValue } from '../../identity/key-value.ts';
import { must } from '../../platform/assert.ts';
import { inSlices } from '../../platform/in-slices.ts';
import { nextTurn } from '../../platform/next-turn.ts';

/** docs/reference/access.md#run-keys. */
const runKeyPermissions: readonly Permission[] = ['eval.write', 'trace.write', 'score.write', 'template.read', 'agent.write'];
/** The key of an abandoned run must not be valid for ever. */
const keyLifeMs = 7 * 24 * 60 * 60 * 1000;

export const evalsModule = defineModule({
  group: 'evals',
  needs: ['control', 'clock'],
  build: ({ control: { evalRuns, evalTrials, escalations, environments }, clock }) => ({
    createRun: async ({ scope, principal }, { body: { name = null, experiment_key = null, metadata = null } }) => {
      const { value, ...stored } = newKeyValue();
      const expires_at = new Date(clock.now() + keyLifeMs).toISOString();
      // Permissions can be granted only by callers who have them.
      const permissions = runKeyPermissions.filter((permission) => principal.may(permission));
      const key = { ...stored, ...(await environmentOf(environments, principal)), permissions, expires_at };
      const run = await evalRuns.create(principal.actor, scope, { name, experiment_key, metadata, key });
      return new Answer(201, { data: { ...run, plaintext_key: value } });
    },

    getRun: async ({ scope }, { params: { runId } }) => ({ data: (await evalRuns.find(scope, runId)) ?? missing(runId) }),

    reportStatus: async ({ scope, principal }, { params: { runId }, body: { card = null, costUsd = null, error = null, status } }) => {
      const target = status ?? targetOf({ card, error });
      const report = await evalRuns.report(principal.actor, scope, runId, { status: target, card, cost_usd: costUsd, error });
      if (!report) return missing(runId);
      if (report.outcome === 'late') failEnded(runId, report.status);
      return { data: { run_id: runId, status: report.status } };
    },

    addTrials: async ({ scope, principal }, { params: { runId }, body: { trials } }) => {
      const data = { added: 0, updated: 0 };
      for (const slice of inSlices(trials)) {
        const stored = await evalTrials.add(principal.actor, scope, runId, slice);
        if (!stored) return missing(runId);
        if ('ended' in stored) return failEnded(runId, stored.ended);
        data.added += stored.added;
        data.updated += stored.updated;
        await nextTurn();
      }
      return { data };
    },

    escalate: async ({ scope, principal }, { body }) => ({
      data: await escalations.create(principal.actor, scope, principal.key?.run_id ?? null, body),
    }),
  }),
});

/** Environment of a run's writes: that of its creator's writes. */
async function environmentOf(environments: EnvironmentStore, { scope, key }: Principal) {
  if (key) return { environment_id: key.environment_id, environment_kinds: key.environment_kinds };
  return { environment_id: must(await environments.findDefault(scope), 'every app has one').id, environment_kinds: null };
}

/** Target state of a report without one, from its content. */
const targetOf = ({ card, error }: Pick<EvalReport, 'card' | 'error'>): EvalReport['status'] =>
  error !== null ? 'failed' : card !== null ? 'succeeded' : 'running';

const missing = (id: string): never => fail('eval_run_not_found', `There is no eval run ${id}`);
const failEnded = (id: string, status: EvalStatus): never => fail('run_already_terminal', `The run ${id} has ended already`, { status });
