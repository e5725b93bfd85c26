import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { must } from '../../platform/assert.ts';
import type { Scope } from '../../platform/scope.ts';
import type { AgentTask } from '../agent-run-queue.ts';
import type { AgentRun, OutputLine } from '../agent-run-store.ts';
import type { ControlStore } from '../control-store.ts';
import type { DeclareGuarantee } from './guarantee.ts';
import { expire } from './leases.ts';
import { expectOneOf, expectSuccesses } from './race.ts';
import { all, anApp, auditedTimes, by, defaultOf, emptyQueue, runKey, runOutcome, takeRun } from './records.ts';

/** An app in a store whose queue is empty. */
async function anAppWithEmptyQueue(control: ControlStore) {
  await emptyQueue(control);
  const scope = await anApp(control);
  const { id: environment_id } = await defaultOf(control, scope);
  const draft = { name: null, repo: null, base: null, environment_id, task_prompt: 't' };
  return { scope, environment_id, draft, open: () => control.agentRuns.open(by, scope, draft, null) };
}

const oneShot = (task_prompt: string, environment_id: string = randomUUID()) => ({
  ...{ repo: null, base: null, model: null, max_cost_usd: null, metadata: null, environment_id, task_prompt },
});
const workspaceOf = ({ environment_id }: AgentRun): string => must(environment_id, 'it is in one');
const line = (seq: number, text = `line ${seq}`): OutputLine => ({ seq, at: '2026', stream: 'stdout', text });

/** A workspace whose first turn has ended. */
async function anIdleWorkspace(control: ControlStore, open: () => Promise<AgentRun>): Promise<{ id: string; task: AgentTask }> {
  const id = workspaceOf(await open());
  const task = await takeRun(control);
  await control.agentRunQueue.finish(task, runOutcome('x'));
  return { id, task };
}

const unfinishedOf = async (control: ControlStore, scope: Scope) =>
  (await control.agentRuns.listRuns(scope, { limit: 1000, offset: 0 })).data.filter(({ status }) => status === 'queued').length;

export function agentRunGuarantees(guarantee: DeclareGuarantee): void {
  guarantee('concurrent takers each get a different run, oldest first, as long as there are any', async ({ control, race, time }) => {
    const { open } = await anAppWithEmptyQueue(control);
    const ids: string[] = [];
    for (let run = 0; run < 5; run++) ids.push((await open()).run_id);
    const taken = await race(({ agentRunQueue }) => agentRunQueue.takeNext(runKey(), 'test'));
    expect(taken.errors).toEqual([]);
    expect(taken.values.flatMap((task) => task?.run.run_id ?? []).sort()).toEqual([...ids].sort());
    expect(await control.agentRunQueue.takeOver('other')).toEqual([]);
    expire(time);
    expect((await control.agentRunQueue.takeOver('other')).map(({ run }) => run.run_id)).toEqual(ids);
  });

  guarantee('a run ends once, and its key with it', async ({ control, race }) => {
    const { scope, open, environment_id } = await anAppWithEmptyQueue(control);
    const { run_id } = await open();
    const key = runKey();
    const task = await takeRun(control, key);
    expect(await control.keys.findByDigest(key.digest)).toMatchObject({ run_id, revoked_at: null, environment_id });
    const ended = await race(async ({ agentRunQueue }, index) => {
      const result = `by ${index}`;
      return (await agentRunQueue.finish(task, runOutcome(result))) && result;
    });
    const result = expectOneOf(ended);
    expect(await control.agentRuns.findRun(scope, run_id)).toMatchObject({ status: 'succeeded', result });
    expect((await control.keys.findByDigest(key.digest))?.revoked_at).not.toBeNull();
    expect(await auditedTimes(control, scope.tenant_id, 'worker_run.finish', run_id)).toBe(1);
    expect(await control.agentRunQueue.append(task, [line(0, 'late')], {})).toBe(false);
    expect((await control.agentRuns.output(scope, run_id, { after: 0, limit: 10 }))?.lines).toEqual([]);
  });

  guarantee('the runs of a tenant stay within the limit, over all its apps', async ({ control, race }) => {
    const { scope, draft } = await anAppWithEmptyQueue(control);
    const other = await anApp(control, scope.tenant_id);
    const result = await race(({ agentRuns }, index) =>
      index % 2 === 0 ? agentRuns.open(by, scope, draft, 5) : agentRuns.createRun(by, other, oneShot('t', draft.environment_id), 5),
    );
    expectSuccesses(result, 5, 'LimitReached');
    expect(result.errors[0]).toMatchObject({ current: 5, limit: 5 });
    expect((await unfinishedOf(control, scope)) + (await unfinishedOf(control, other))).toBe(5);
    expect((await control.agentRuns.listEnvironments(scope, all)).total).toBe(await unfinishedOf(control, scope));
  });

  guarantee('of concurrent turns of a workspace one is created, with the next index', async ({ control, race }) => {
    const { scope, open } = await anAppWithEmptyQueue(control);
    const { id, task: first } = await anIdleWorkspace(control, open);
    const result = await race(({ agentRuns }) => agentRuns.createTurn(by, scope, id, 't', null));
    const [turn] = expectSuccesses(result, 1, 'WorkspaceBusy');
    expect(turn).toMatchObject({ turn_index: 1 });
    expect(result.errors[0]).toMatchObject({ run_id: turn?.run_id });
    const task = await takeRun(control);
    expect((await control.agentRunQueue.thread(task, 10)).map((run) => run.run_id)).toEqual([first.run.run_id]);
    expect(await control.agentRuns.createTurn(by, scope, randomUUID(), 't', null)).toBeNull();
  });

  guarantee('a workspace that is closed and used at once is one of both', async ({ control, race }) => {
    const { scope, open } = await anAppWithEmptyQueue(control);
    for (const first of [0, 1]) {
      const { id } = await anIdleWorkspace(control, open);
      const { values } = await race(async ({ agentRuns }, index) => {
        if (index % 2 === first) return (await agentRuns.createTurn(by, scope, id, 't', null)) && 'turn';
        return (await agentRuns.close(by, scope, id)) && 'closed';
      });
      const [won, ...more] = values.filter((value) => value !== null && value !== false);
      expect(more).toEqual([]);
      const workspace = await control.agentRuns.findEnvironment(scope, id);
      expect(workspace?.status).toBe(won === 'turn' ? 'busy' : 'closed');
      const task = await control.agentRunQueue.takeNext(runKey(), 'test');
      expect(task?.workspace_id).toBe(won === 'turn' ? id : undefined);
      if (task) await control.agentRunQueue.finish(task, runOutcome('x'));
    }
  });

  guarantee('a queued run is cancelled at once, and recorded once', async ({ control, race }) => {
    const { scope, open } = await anAppWithEmptyQueue(control);
    const { run_id } = await open();
    const result = await race(({ agentRuns }) => agentRuns.cancel(by, scope, run_id));
    expect(expectSuccesses(result, 1, 'RunEnded')[0]).toMatchObject({ run_id, status: 'cancelled' });
    expect(await auditedTimes(control, scope.tenant_id, 'worker_run.cancel', run_id)).toBe(1);
    expect(await control.agentRunQueue.takeNext(runKey(), 'test')).toBeNull();
    expect(await control.agentRuns.cancel(by, scope, randomUUID())).toBeNull();
  });

  guarantee('a run that is cancelled while it runs ends as cancelled, whatever its agent reports', async ({ control, race }) => {
    const { scope, open } = await anAppWithEmptyQueue(control);
    const { run_id } = await open();
    const task = await takeRun(control);
    expect(await control.agentRunQueue.append(task, [], {})).toBe(true);
    const cancelled = await race(({ agentRuns }) => agentRuns.cancel(by, scope, run_id));
    expect([cancelled.errors, new Set(cancelled.values.map((run) => run?.status))]).toEqual([[], new Set(['running'])]);
    expect(new Set(cancelled.values.map((run) => run?.cancel_requested_at)).size).toBe(1);
    expect(await control.agentRunQueue.append(task, [], {})).toBe(false);
    expect(await control.agentRunQueue.append(task, [line(0)], {})).toBe(false);
    await control.agentRunQueue.finish(task, { ...runOutcome('done'), status: 'failed', error: 'ended' });
    expect(await control.agentRuns.findRun(scope, run_id)).toMatchObject({ status: 'cancelled', result: 'done', error: null });
    await expect(control.agentRuns.cancel(by, scope, run_id)).rejects.toMatchObject({ name: 'RunEnded' });
  });

  guarantee('a gateway that lost a run to another one changes nothing with it', async ({ control, race, time }) => {
    const { scope, open } = await anAppWithEmptyQueue(control);
    await open();
    const lost = await takeRun(control);
    expire(time);
    const { values, errors } = await race(({ agentRunQueue }, index) => agentRunQueue.takeOver(`gateway ${index}`));
    expect(errors).toEqual([]);
    const claim = { ...lost.claim, holder: expect.any(String), epoch: 2 };
    expect(values.flat()).toEqual([{ ...lost, claim }]);
    const before = await control.agentRuns.findRun(scope, lost.run.run_id);
    await control.agentRunQueue.begin(lost, 'late');
    for (const lines of [[], [line(0, 'late')]]) expect(await control.agentRunQueue.append(lost, lines, { cost_usd: 9 })).toBe(false);
    expect(await control.agentRunQueue.append(lost, [], {})).toBe(false);
    expect(await control.agentRunQueue.finish(lost, runOutcome('late'))).toBe(false);
    expect(await control.agentRuns.findRun(scope, lost.run.run_id)).toEqual(before);
    const [taken] = values.flat();
    expect(await control.agentRunQueue.finish(taken ?? lost, runOutcome('kept'))).toBe(true);
    expect(await control.leases.renew(taken?.claim.holder ?? '', [taken?.claim ?? lost.claim])).toEqual([]);
  });

  guarantee('a turn knows what the one before it left', async ({ control, time }) => {
    const { scope, open } = await anAppWithEmptyQueue(control);
    const id = workspaceOf(await open());
    const first = await takeRun(control);
    expect(first).toMatchObject({ scope, workspace_id: id, session: null, base_commit: null, run: { status: 'running' } });
    await control.agentRunQueue.begin(first, 'commit');
    await control.agentRunQueue.append(first, [], { session: 's', cost_usd: 2 });
    expire(time);
    const [again] = await control.agentRunQueue.takeOver('other');
    expect([again?.base_commit, again?.session]).toEqual(['commit', 's']);
    const files = [{ path: 'a', insertions: 2, deletions: 1 }];
    const changes = { commit_sha: 'c', files, patch: 'p', is_cut: false };
    await control.agentRunQueue.finish(again ?? first, { ...runOutcome('x'), changes });
    expect(await control.agentRuns.changes(scope, first.run.run_id)).toEqual(changes);
    const checkpoint = { commit_sha: 'c', files: 1, insertions: 2, deletions: 1 };
    expect(await control.agentRuns.findRun(scope, first.run.run_id)).toMatchObject({ cost_usd: 2, checkpoint });
    await control.agentRuns.createTurn(by, scope, id, 'next', null);
    const second = await takeRun(control);
    expect(second).toMatchObject({ session: 's', run: { turn_index: 1, task_prompt: 'next' } });
    expect(await control.agentRuns.changes(scope, second.run.run_id)).toEqual({ commit_sha: null, files: [], patch: '', is_cut: false });
    const turns = await control.agentRuns.turns(scope, id, { limit: 1, offset: 1 });
    expect([turns?.total, turns?.data.map(({ run_id }) => run_id)]).toEqual([2, [second.run.run_id]]);
    expect((await control.agentRunQueue.thread(second, 1)).map(({ result }) => result)).toEqual(['x']);
    await control.agentRunQueue.finish(second, runOutcome('y'));
  });

  guarantee('workspaces and runs are listed newest first', async ({ control }) => {
    const { scope, open } = await anAppWithEmptyQueue(control);
    const runs = [await open(), await open(), await control.agentRuns.createRun(by, scope, oneShot('t'), null)];
    const ids = runs.map(({ run_id }) => run_id);
    const page = await control.agentRuns.listRuns(scope, { limit: 2, offset: 1 });
    expect([page.total, page.data.map(({ run_id }) => run_id)]).toEqual([3, [ids[1], ids[0]]]);
    const task = await takeRun(control);
    const running = await control.agentRuns.listRuns(scope, { ...all, status: 'running' });
    expect(running.data.map(({ run_id }) => run_id)).toEqual([ids[0]]);
    const workspaces = await control.agentRuns.listEnvironments(scope, { limit: 1, offset: 1 });
    expect([workspaces.total, workspaces.data]).toEqual([2, [await control.agentRuns.findEnvironment(scope, task.workspace_id)]]);
    const used = await control.agentRunQueue.workspaces();
    expect([...runs.slice(0, 2).map(workspaceOf), ids[2] ?? ''].every((id) => used.has(id))).toBe(true);
  });

  guarantee('a page of runs is small, however long their texts are', async ({ control }) => {
    const { scope, environment_id } = await anAppWithEmptyQueue(control);
    const task_prompt = 'ü'.repeat(100_000);
    const run = await control.agentRuns.createRun(by, scope, oneShot(task_prompt, environment_id), null);
    const [listed] = (await control.agentRuns.listRuns(scope, all)).data;
    expect(listed?.task_prompt).toBe(`${'ü'.repeat(10_000)}…`);
    expect((await control.agentRuns.findRun(scope, run.run_id))?.task_prompt).toBe(task_prompt);
    expect((await takeRun(control)).run.task_prompt).toBe(task_prompt);
  });

  guarantee('all lines that an agent printed at once are stored', async ({ control }) => {
    const { scope, open } = await anAppWithEmptyQueue(control);
    const { run_id } = await open();
    const task = await takeRun(control);
    const lines = Array.from({ length: 3000 }, (_, seq) => line(seq));
    expect(await control.agentRunQueue.append(task, lines, { session: 's' })).toBe(true);
    const { lines: last, next } = must(await control.agentRuns.output(scope, run_id, { after: 2999, limit: 10 }), 'it is there');
    expect([last, next]).toEqual([[line(2999)], 3000]);
  });

  guarantee('a run whose app is deleted stops', async ({ control }) => {
    const { scope, open } = await anAppWithEmptyQueue(control);
    const { run_id } = await open();
    const task = await takeRun(control);
    await control.apps.remove(by, scope.tenant_id, scope.app_id);
    expect(await control.agentRunQueue.append(task, [], {})).toBe(false);
    expect(await control.agentRunQueue.finish(task, runOutcome('x'))).toBe(false);
    expect((await control.agentRunQueue.workspaces()).has(task.workspace_id)).toBe(false);
    expect(await control.agentRuns.findRun(scope, run_id)).toBeNull();
  });

  guarantee('the key of a run whose environment was deleted is for the default environment of its own app', async ({ control }) => {
    const { scope } = await anAppWithEmptyQueue(control);
    await control.agentRuns.createRun(by, scope, oneShot('t'), null);
    const key = runKey();
    await takeRun(control, key);
    expect((await control.keys.findByDigest(key.digest))?.environment_id).toBe((await defaultOf(control, scope)).id);
  });
}
