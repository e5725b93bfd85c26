import { expect } from 'vitest';
import {
  baselineQuery,
  type ExperimentSummary,
  experimentDetail,
  experimentQuery,
  experimentSummary,
} from '../../../shared/contract/evaluation/experiments.ts';
import { aSpan, aTraceId, testEpochMs } from '../../../shared/fixtures/otlp.ts';
import type { DeclareGuarantee } from './guarantee.ts';
import { aScore } from './scores.ts';
import type { Tenant } from './tenant.ts';

const hourMs = 3_600_000;

/** One scored item of a run. */
async function anItem(app: Tenant, run: string, hours: number, score: number, treeHash = 'a'.repeat(40)): Promise<string> {
  const traceId = aTraceId();
  const attributes = {
    'agentmark.dataset_run_id': run,
    'agentmark.dataset_run_name': `run ${run}`,
    'agentmark.dataset_path': 'datasets/triage.jsonl',
    'agentmark.dataset_input': '{"q":"owls"}',
    'agentmark.experiment_key': 'triage',
    'agentmark.source_tree_hash': treeHash,
  };
  await app.write([aSpan({ traceId, startMs: testEpochMs + hours * hourMs, attributes })]);
  await app.store.scores.insert(app.scope, [aScore({ resource_id: traceId, name: 'exact', score })]);
  return traceId;
}

async function runs({ store, scope }: Tenant, query: object = {}): Promise<{ runs: ExperimentSummary[]; total: number }> {
  const { data, total } = await store.experiments.list(scope, experimentQuery.parse(query));
  return { runs: data.decode().map((run) => experimentSummary.parse(run)), total };
}

export function experimentGuarantees(guarantee: DeclareGuarantee): void {
  guarantee('traces of one run are an experiment, the newest first, page by page', async ({ tenant }) => {
    const [app, other] = [tenant(), tenant()];
    for (const [run, hours, score] of [
      ['old', 0, 1],
      ['new', 30, 0],
      ['old', 40, 0],
    ] as const)
      await anItem(app, run, hours, score);
    await app.write([aSpan()]);
    await anItem(other, 'old', 1, 1);
    const { runs: all, total } = await runs(app);
    expect([total, all.map(({ id, itemCount, avgScore }) => [id, itemCount, avgScore])]).toEqual([
      2,
      [
        ['new', 1, 0],
        ['old', 2, 0.5],
      ],
    ]);
    expect(await runs(app, { limit: 1, offset: 1 })).toMatchObject({ total: 2, runs: [{ id: 'old' }] });
    expect(await runs(app, { prompt_name: 'unknown' })).toEqual({ total: 0, runs: [] });
  });

  guarantee('a run has its items in the order of their start, with their scores', async ({ tenant }) => {
    const [app, other] = [tenant(), tenant()];
    const late = await anItem(app, 'run', 2, 0);
    const early = await anItem(app, 'run', 1, 1);
    const { items } = experimentDetail.parse((await app.store.experiments.find(app.scope, 'run'))?.decode());
    expect(items.map(({ traceId, scores }) => [traceId, scores.map(({ name, score }) => [name, score])])).toEqual([
      [early, [['exact', 1]]],
      [late, [['exact', 0]]],
    ]);
    for (const [of, id] of [
      [app, 'unknown'],
      [other, 'run'],
    ] as const)
      expect(await of.store.experiments.find(of.scope, id)).toBe(null);
  });

  guarantee('the baseline is the newest run at the same tree, else the newest run', async ({ tenant }) => {
    const app = tenant();
    await anItem(app, 'same', 1, 0.25);
    await anItem(app, 'newest', 9, 0.75, 'b'.repeat(40));
    const baseline = async (experiment_key: string, tree_hash: string) =>
      (await app.store.experiments.baseline(app.scope, baselineQuery.parse({ experiment_key, tree_hash }))).decode();
    expect(await baseline('triage', 'a'.repeat(40))).toMatchObject({
      resolved: { runId: 'same', matchedExactCommit: true },
      rows: [{ score: 0.25 }],
    });
    expect(await baseline('triage', 'c'.repeat(40))).toMatchObject({ resolved: { runId: 'newest', matchedExactCommit: false } });
    expect(await baseline('unknown', 'a'.repeat(40))).toEqual({ resolved: null, rows: [] });
  });

  guarantee('the distribution of a score counts all scores of its name', async ({ tenant }) => {
    const app = tenant();
    const scores = [0, 0.5, 1, 1].map((score) => aScore({ name: 'tone', score }));
    await app.store.scores.insert(app.scope, [...scores, aScore({ name: 'other', score: 9 })]);
    const found = (await app.store.statistics.scores(app.scope, { name: 'tone' })).decode();
    expect(found).toMatchObject({ count: 4, min: 0, max: 1, mean: 0.625 });
    expect(found.bars.reduce((sum, { count }) => sum + count, 0)).toBe(4);
    expect((await app.store.statistics.scores(app.scope, { name: 'unknown' })).decode()).toMatchObject({ count: 0, mean: null, bars: [] });
  });
}
