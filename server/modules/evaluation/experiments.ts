import type { ExperimentQuery, ExperimentSummary } from '../../../shared/contract/evaluation/experiments.ts';
import { fail } from '../../app/fail.ts';
import { defineModule } from '../../app/module.ts';
import type { StoredRun } from '../../control/experiment-run-store.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Scope } from '../../platform/scope.ts';
import type { TelemetryStore } from '../../telemetry/store.ts';
import type { ExperimentRuns } from '../../workers/experiment-runs.ts';

/** A run without results for this long is shown as stalled. */
const stalledAfterMs = 15 * 60_000;

interface Sources {
  telemetry: TelemetryStore;
  clock: Clock;
  experimentRuns?: ExperimentRuns | undefined;
}

export const experimentsModule = defineModule({
  group: 'experiments',
  needs: ['telemetry', 'clock'],
  wants: ['experimentRuns'],
  build: (sources) => ({
    list: async ({ scope }, { query }) => {
      const { limit, offset } = query;
      const withoutTraces = await runsWithoutTraces(sources, scope, query);
      const first = withoutTraces.slice(offset, offset + limit);
      // Runs with traces follow those without, which are newer.
      const rest = { ...query, offset: Math.max(0, offset - withoutTraces.length), limit: Math.max(1, limit - first.length) };
      const { data, total, totalIsLowerBound } = await sources.telemetry.experiments.list(scope, rest);
      const pagination = {
        ...{ limit, offset, total: total + withoutTraces.length },
        ...(totalIsLowerBound && { total_is_lower_bound: totalIsLowerBound }),
      };
      return withoutTraces.length === 0 ? { data, pagination } : { data: [...first, ...data.decode()].slice(0, limit), pagination };
    },

    baseline: async ({ scope }, { query }) => ({ data: await sources.telemetry.experiments.baseline(scope, query) }),

    get: async ({ scope }, { params: { experimentId } }) => {
      const found = await sources.telemetry.experiments.find(scope, experimentId);
      if (found) return { data: found };
      const run = await sources.experimentRuns?.find(scope, experimentId);
      if (!run) fail('experiment_not_found', `No experiment ${experimentId}`);
      return { data: { ...summaryOf(run, sources.clock), items: [] } };
    },
  }),
});

/** The runs that were started and have no trace yet, newest first. */
async function runsWithoutTraces(
  { telemetry, clock, experimentRuns }: Sources,
  scope: Scope,
  query: ExperimentQuery,
): Promise<ExperimentSummary[]> {
  const { start_date = '', end_date = '9999', prompt_name, dataset_path } = query;
  const withoutTraces: ExperimentSummary[] = [];
  for (const run of (await experimentRuns?.withoutRows(scope)) ?? []) {
    const day = run.created_at.slice(0, 10);
    if (day < start_date || day > end_date) continue;
    if (prompt_name !== undefined && run.prompt_name !== prompt_name) continue;
    if (dataset_path !== undefined && run.dataset !== dataset_path) continue;
    if (!(await telemetry.experiments.find(scope, run.experiment_id))) withoutTraces.push(summaryOf(run, clock));
  }
  return withoutTraces;
}

/** Without traces there is nothing to count. */
function summaryOf(run: StoredRun, clock: Clock): ExperimentSummary {
  const { experiment_id: id, name, dataset: datasetPath, prompt_name, created_at: createdAt, status } = run;
  const isStalled = clock.now() - Date.parse(createdAt) > stalledAfterMs;
  return {
    ...{ id, name, datasetPath, promptName: prompt_name ?? '', createdAt },
    ...{ itemCount: 0, avgLatencyMs: 0, totalCost: 0, avgScore: null },
    ...(status === 'running' ? { status: isStalled ? 'stalled' : 'running' } : {}),
  };
}
