import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Scope } from '../../platform/scope.ts';
import type { ControlStore } from '../control-store.ts';
import type { EvalReport } from '../eval-run-store.ts';
import type { DeclareGuarantee } from './guarantee.ts';
import { all, anApp, auditedTimes, by, defaultOf, keyDraft } from './records.ts';

const report = (status: EvalReport['status'], rest: Partial<EvalReport> = {}): EvalReport => ({
  ...{ status, card: null, cost_usd: null, error: null },
  ...rest,
});

async function aRun(control: ControlStore, scope: Scope) {
  const { id: environment_id } = await defaultOf(control, scope);
  const { name: _, run_id: __, ...key } = keyDraft('', { environment_id });
  const run = await control.evalRuns.create(by, scope, { name: 'r', experiment_key: null, metadata: null, key });
  return { id: run.id, key };
}

export function evalGuarantees(guarantee: DeclareGuarantee): void {
  guarantee('of concurrent reports that end a run one counts, and the key ends with it', async ({ control, race }) => {
    const scope = await anApp(control);
    const { id, key } = await aRun(control, scope);
    expect(await control.keys.findByDigest(key.digest)).toMatchObject({ run_id: id, revoked_at: null });
    const ends = ['succeeded', 'failed'] as const;
    const { values, errors } = await race(({ evalRuns }, index) =>
      evalRuns.report(by, scope, id, report(ends[index % 2] ?? 'failed', { cost_usd: index })),
    );
    const taken = values.flatMap((result, index) => (result?.outcome === 'taken' ? [index] : []));
    expect([errors, taken.length, values.filter((result) => result?.outcome === 'late').length]).toEqual([[], 1, 199]);
    const status = ends[(taken[0] ?? 0) % 2];
    expect(values.every((result) => result?.status === status)).toBe(true);
    expect(await control.evalRuns.find(scope, id)).toMatchObject({ status, cost_usd: taken[0] });
    expect((await control.keys.findByDigest(key.digest))?.revoked_at).toEqual(expect.any(String));
    expect(await auditedTimes(control, scope.tenant_id, `eval_run.${status}`, id)).toBe(1);
    expect(await control.evalRuns.report(by, scope, randomUUID(), report('running'))).toBeNull();
  });

  guarantee('a report keeps what it does not mention', async ({ control }) => {
    const scope = await anApp(control);
    const { id } = await aRun(control, scope);
    await control.evalRuns.report(by, scope, id, report('running', { card: { a: 1 }, cost_usd: 2 }));
    const first = await control.evalRuns.find(scope, id);
    expect(first).toMatchObject({ status: 'running', card: { a: 1 }, cost_usd: 2, claimed_at: expect.any(String), completed_at: null });
    await control.evalRuns.report(by, scope, id, report('running'));
    expect(await control.evalRuns.find(scope, id)).toEqual(first);
    await control.evalRuns.report(by, scope, id, report('failed', { error: 'x' }));
    expect(await control.evalRuns.find(scope, id)).toMatchObject({
      ...first,
      status: 'failed',
      error: 'x',
      completed_at: expect.any(String),
    });
  });

  guarantee('a trial that many send at once is stored once', async ({ control, race }) => {
    const scope = await anApp(control);
    const { id } = await aRun(control, scope);
    const { values, errors } = await race(({ evalTrials }, index) =>
      evalTrials.add(by, scope, id, [{ task_id: `${index % 2}`, trial_index: 0, status: 'passed', score: index }]),
    );
    const added = values.filter((result) => result && 'added' in result && result.added === 1 && result.updated === 0);
    const updated = values.filter((result) => result && 'added' in result && result.added === 0 && result.updated === 1);
    expect([errors, added.length, updated.length]).toEqual([[], 2, 198]);
    expect((await control.evalTrials.list(scope, id, all)).total).toBe(2);
  });

  guarantee('a run takes no trial after its end', async ({ control, race }) => {
    const scope = await anApp(control);
    const { id } = await aRun(control, scope);
    const { values, errors } = await race(async ({ evalTrials, evalRuns }, index) => {
      if (index === 40) return evalRuns.report(by, scope, id, report('succeeded'));
      return evalTrials.add(by, scope, id, [{ task_id: `${index}`, trial_index: 0, status: 'passed' }]);
    });
    const [stored, refused] = ['added', 'ended'].map((key) => values.filter((value) => value && key in value).length);
    expect([errors, (stored ?? 0) + (refused ?? 0)]).toEqual([[], 199]);
    expect((await control.evalTrials.list(scope, id, all)).total).toBe(stored);
    const late = await control.evalTrials.add(by, scope, id, [{ task_id: 'late', trial_index: 0, status: 'passed' }]);
    expect(late).toEqual({ ended: 'succeeded' });
    expect(await control.evalTrials.add(by, scope, randomUUID(), [])).toBeNull();
  });

  guarantee('a trial that replaces another keeps nothing of it', async ({ control }) => {
    const scope = await anApp(control);
    const { id } = await aRun(control, scope);
    const trial = { task_id: 'a', trial_index: 0 };
    await control.evalTrials.add(by, scope, id, [{ ...trial, status: 'failed', score: 1, error: 'x', metadata: { a: 1 } }]);
    await control.evalTrials.add(by, scope, id, [{ ...trial, status: 'passed' }]);
    expect((await control.evalTrials.list(scope, id, all)).data).toEqual([{ ...trial, status: 'passed' }]);
  });

  guarantee('trials are listed by task and index, and tasks with mostly failing trials come first', async ({ control }) => {
    const scope = await anApp(control);
    const { id } = await aRun(control, scope);
    const trial = (task_id: string, trial_index: number, status: 'passed' | 'failed', score?: number) => ({
      ...{ task_id, trial_index, status },
      ...(score === undefined ? {} : { score }),
    });
    const trials = [trial('b', 1, 'passed', 1), trial('b', 0, 'failed', 0), trial('a', 0, 'passed'), trial('c', 0, 'failed')];
    expect(await control.evalTrials.add(by, scope, id, trials)).toEqual({ added: 4, updated: 0 });
    const inOrder = [trials[2], trials[1], trials[0], trials[3]];
    expect(await control.evalTrials.list(scope, id, all)).toEqual({ data: inOrder, total: 4 });
    expect(await control.evalTrials.list(scope, id, { ...all, status: 'failed' })).toEqual({ data: [trials[1], trials[3]], total: 2 });
    const tasks = await control.evalTrials.tasks(scope, id, { limit: 2, offset: 0 });
    expect(tasks).toMatchObject({ total: 3, data: [{ task_id: 'c' }, { task_id: 'b', average_score: 0.5 }] });
    expect(tasks.data[1]?.trials).toEqual({ passed: 1, failed: 1, error: 0, total: 2 });
  });

  guarantee('runs are listed newest first, with their results', async ({ control }) => {
    const scope = await anApp(control);
    const ids = [(await aRun(control, scope)).id, (await aRun(control, scope)).id, (await aRun(control, scope)).id];
    const [first] = ids as [string];
    await control.evalTrials.add(by, scope, first, [{ task_id: 'a', trial_index: 0, status: 'passed' }]);
    const escalation = await control.escalations.create(by, scope, first, { attempts: 1, task_ids: ['a'] });
    const second = await control.escalations.create(by, scope, first, { attempts: 2, task_ids: ['b'] });
    await control.escalations.create(by, scope, null, { attempts: 1, task_ids: ['a'] });
    expect(await control.escalations.list(scope, first, all)).toEqual({ data: [second, escalation], total: 2 });
    expect(await control.escalations.list(scope, first, { limit: 1, offset: 1 })).toEqual({ data: [escalation], total: 2 });
    const results = { trials: { passed: 1, failed: 0, error: 0, total: 1 }, tasks: 1, escalations: 2, key_expires_at: null };
    expect(await control.evalRuns.show(scope, first)).toMatchObject({ id: first, ...results });
    await control.evalRuns.report(by, scope, first, report('succeeded', { card: { large: true } }));
    const listed = await control.evalRuns.list(scope, { limit: 2, offset: 1 });
    expect([listed.total, listed.data.map(({ id }) => id)]).toEqual([3, [ids[1], first]]);
    expect(listed.data[1]).not.toHaveProperty('card');
    expect((await control.evalRuns.list(scope, { ...all, status: 'queued' })).total).toBe(2);
    expect([await control.evalRuns.find(scope, randomUUID()), await control.evalRuns.show(scope, randomUUID())]).toEqual([null, null]);
  });
}
