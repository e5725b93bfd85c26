import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { ExperimentRunDraft } from '../experiment-run-store.ts';
import type { DeclareGuarantee } from './guarantee.ts';
import { expire } from './leases.ts';
import { expectOneOf } from './race.ts';
import { anApp, auditedTimes, by } from './records.ts';

const draft: ExperimentRunDraft = { name: 'e', dataset: 'd.jsonl', prompt: 'p.mdx', prompt_name: 'p', evals: ['tone'] };
const progress = { rows_total: 3, rows_done: 2, rows_failed: 1 };

export function experimentRunGuarantees(guarantee: DeclareGuarantee): void {
  guarantee('an experiment run ends once, and the first end counts', async ({ control, race }) => {
    const scope = await anApp(control);
    const { run, claim } = await control.experimentRuns.create(by, scope, draft, 'test');
    const id = run.experiment_id;
    expect(await control.leases.renew('test', [claim])).toEqual([claim]);
    const ends = ['succeeded', 'failed'] as const;
    const ended = await race(async ({ experimentRuns }, index) => {
      const end = { ...progress, status: ends[index % 2] ?? 'failed', error: `by ${index}` };
      return (await experimentRuns.finish(by, scope, id, end)) && end;
    });
    const { status, error } = expectOneOf(ended);
    await control.experimentRuns.progress(scope, id, { ...progress, rows_done: 9 });
    expect(await control.experimentRuns.find(scope, id)).toMatchObject({ ...draft, ...progress, status, error });
    expect(await control.leases.renew('test', [claim])).toEqual([]);
    expect(await auditedTimes(control, scope.tenant_id, `experiment_run.${status}`, id)).toBe(1);
    expect(await control.experimentRuns.finish(by, scope, randomUUID(), { ...progress, status, error })).toBe(false);
  });

  guarantee('running ones are listed newest first, with their progress', async ({ control }) => {
    const scope = await anApp(control);
    const { run: first } = await control.experimentRuns.create(by, scope, draft, 'test');
    const { run: second } = await control.experimentRuns.create(by, scope, draft, 'test');
    expect(first).toMatchObject({ ...draft, status: 'running', rows_total: null, rows_done: 0, rows_failed: 0, finished_at: null });
    await control.experimentRuns.progress(scope, first.experiment_id, progress);
    expect(await control.experimentRuns.running(scope)).toEqual([second, { ...first, ...progress }]);
    await control.experimentRuns.finish(by, scope, second.experiment_id, { ...progress, status: 'succeeded', error: null });
    expect(await control.experimentRuns.running(scope)).toEqual([{ ...first, ...progress }]);
  });

  guarantee('those whose gateway has gone are abandoned, and those of other gateways and ended ones stay', async ({ location, time }) => {
    const store = await location().open(time);
    const scopes = [await anApp(store), await anApp(store)] as const;
    const left = [];
    for (const scope of scopes) left.push((await store.experimentRuns.create(by, scope, draft, 'gone')).run);
    await store.experimentRuns.abandon('stopped');
    expect((await store.experimentRuns.running(scopes[0])).length).toBe(1);
    expire(time);
    const { run: other } = await store.experimentRuns.create(by, scopes[0], draft, 'alive');
    const { run: ended } = await store.experimentRuns.create(by, scopes[0], draft, 'alive');
    await store.experimentRuns.finish(by, scopes[0], ended.experiment_id, { ...progress, status: 'succeeded', error: null });
    await store.experimentRuns.abandon('stopped');
    for (const [index, scope] of scopes.entries()) {
      const run = await store.experimentRuns.find(scope, left[index]?.experiment_id ?? '');
      expect(run).toMatchObject({ status: 'failed', error: 'stopped', finished_at: expect.any(String) });
    }
    expect(await store.experimentRuns.find(scopes[0], other.experiment_id)).toMatchObject({ status: 'running' });
    expect(await store.experimentRuns.find(scopes[0], ended.experiment_id)).toMatchObject({ status: 'succeeded', error: null });
  });
}
