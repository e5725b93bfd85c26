/**
 * Runs queued agent runs, a limited number at once. Runs of a gateway that has gone end as failed, with their changes committed where the
 * workspace is still there.
 */
import { setTimeout as after } from 'node:timers/promises';
import type { AgentRunQueue, AgentTask, RunOutcome } from '../control/agent-run-queue.ts';
import { newKeyValue } from '../identity/key-value.ts';
import type { Leases } from '../jobs/lease.ts';
import type { Schedule } from '../jobs/schedule.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { AgentRuntime, Origin, TurnListener, Workspace } from './agent-runtime.ts';
import type { Dispatcher } from './dispatcher.ts';
import { type OutputLimits, standardOutput, TurnLog } from './turn-log.ts';

export interface DispatcherOptions {
  queue: AgentRunQueue;
  runtime: AgentRuntime;
  leases: Leases;
  clock: Clock;
  log: Log;
  /** Number of agents that this gateway runs at the same time. */
  concurrency: number;
  /** Time limit of a turn, which also bounds the life of its key. */
  turnMs: number;
  /** Base URL of the gateway for agents, without a trailing slash. */
  address: string;
  output?: OutputLimits;
}

/** Number of previous turns passed to an agent. */
const threadTurns = 200;
const keyGraceMs = 60 * 60_000;
const retryMs = { first: 500, max: 60_000 };
const interruptedMessage = 'The gateway stopped during this turn';

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
const failed = (error: string): RunOutcome => ({ status: 'failed', result: null, error, changes: null });

export class AgentRunDispatcher implements Dispatcher {
  readonly isConfigured = true;
  readonly #options: DispatcherOptions;
  readonly #stopping = new AbortController();
  readonly #running = new Map<string, { abort: AbortController; done: Promise<void> }>();
  /** One fill at a time, so that `concurrency` is never exceeded. */
  #filling: Promise<void> = Promise.resolve();
  readonly #takingOver: Schedule;

  constructor(options: DispatcherOptions) {
    this.#options = options;
    this.#takingOver = options.leases.takeOver('agent_runs_not_taken_over', () => this.#takeOver());
  }

  problemOf(origin: Origin): ReturnType<AgentRuntime['problemOf']> {
    return this.#options.runtime.problemOf(origin);
  }

  /** Settles the runs of gateways that have gone, and starts the queue. */
  async open(): Promise<void> {
    const { queue, runtime } = this.#options;
    await runtime.endStrays();
    // Before the queue is started: a run that is queued meanwhile has a workspace that is not among these.
    await runtime.keepOnly(await queue.workspaces());
    await this.#takingOver.open();
  }

  wake(): void {
    this.#filling = this.#filling.then(() => this.#fill()).catch((error: unknown) => this.#retry(error));
  }

  cancel(runId: string): void {
    this.#running.get(runId)?.abort.abort(new Error('The run was cancelled'));
  }

  async forget(workspace: Workspace): Promise<void> {
    try {
      await this.#options.runtime.remove(workspace);
    } catch (error) {
      // The next start removes it as unused.
      this.#options.log.error('workspace_not_removed', { workspace_id: workspace.workspace_id, error: messageOf(error) });
    }
  }

  /** Stops every agent. Queued runs wait for the next gateway. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#takingOver.stop();
    await this.#filling;
    for (const { abort } of this.#running.values()) abort.abort(new Error(interruptedMessage));
    await Promise.all([...this.#running.values()].map(({ done }) => done));
  }

  /** Queued runs wait for no particular gateway: the one that queued them may have gone, too. */
  async #takeOver(): Promise<void> {
    const { queue, leases } = this.#options;
    const taken = await queue.takeOver(leases.holder);
    for (const { claim } of taken) leases.keep(claim);
    for (const task of taken) await this.#settle(task);
    this.wake();
  }

  async #fill(): Promise<void> {
    const { queue, leases, clock, concurrency, turnMs } = this.#options;
    while (!this.#stopping.signal.aborted && this.#running.size < concurrency) {
      const { value, digest, key_prefix } = newKeyValue();
      const expires_at = new Date(clock.now() + turnMs + keyGraceMs).toISOString();
      const task = await queue.takeNext({ digest, key_prefix, expires_at }, leases.holder);
      if (!task) return;
      leases.keep(task.claim);
      const abort = new AbortController();
      const done = this.#runAndFinish(task, value, abort).finally(() => {
        this.#running.delete(task.run.run_id);
        this.wake();
      });
      this.#running.set(task.run.run_id, { abort, done });
    }
  }

  #retry(error: unknown): void {
    this.#options.log.error('worker_queue_unread', { error: messageOf(error) });
    const { signal } = this.#stopping;
    void after(retryMs.first, undefined, { signal, ref: false }).then(
      () => this.wake(),
      () => {},
    );
  }

  async #runAndFinish(task: AgentTask, key: string, abort: AbortController): Promise<void> {
    const outcome = await this.#run(task, key, abort).catch((error: unknown) => failed(messageOf(error)));
    await this.#finish(task, outcome);
  }

  async #run(task: AgentTask, key: string, abort: AbortController): Promise<RunOutcome> {
    const { queue, runtime, clock, output = standardOutput } = this.#options;
    const { run, session, model, max_cost_usd, metadata } = task;
    const log = new TurnLog(queue, task, clock, output);
    const listener: TurnListener = {
      onBegin: (commit) => queue.begin(task, commit),
      onLine: (stream, text) => log.add(stream, text),
      onReport: (report) => log.report(report),
    };
    const ended = new AbortController();
    const flushing = this.#flush(log, output.flushMs, abort, ended.signal);
    try {
      const thread = await queue.thread(task, threadTurns);
      const variables = this.#variablesOf(task, key);
      const turn = { ...workspaceOf(task), run, thread, session, model, max_cost_usd, metadata, variables };
      const { error, result, changes } = await runtime.run(turn, listener, abort.signal);
      return { status: error === null ? 'succeeded' : 'failed', result, error, changes };
    } finally {
      ended.abort();
      await flushing;
      await log.flush().catch((error: unknown) => this.#options.log.error('worker_output_lost', { error: messageOf(error) }));
    }
  }

  /** Repeats until the turn has ended. */
  async #flush(log: TurnLog, flushMs: number, abort: AbortController, ended: AbortSignal): Promise<void> {
    while (!ended.aborted) {
      await after(flushMs, undefined, { signal: ended }).catch(() => {});
      // Output that cannot be written now is buffered, within a limit.
      const mayContinue = await log.flush().catch(() => true);
      if (!mayContinue) abort.abort(new Error('The run was cancelled'));
    }
  }

  #variablesOf({ scope }: AgentTask, key: string): Record<string, string> {
    const { address } = this.#options;
    return {
      GLASSHOUSE_URL: address,
      GLASSHOUSE_API_KEY: key,
      GLASSHOUSE_APP_ID: scope.app_id,
      // Instrumented agents send their own traces here.
      OTEL_EXPORTER_OTLP_ENDPOINT: address,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_EXPORTER_OTLP_HEADERS: `Authorization=${key},X-Service-App-Id=${scope.app_id}`,
    };
  }

  /** Ends a turn that was interrupted. */
  async #settle(task: AgentTask): Promise<void> {
    const { runtime, log } = this.#options;
    try {
      const changes = task.base_commit === null ? null : await runtime.checkpoint(workspaceOf(task), task.run, task.base_commit);
      await this.#finish(task, { ...failed(interruptedMessage), changes });
    } catch (error) {
      log.error('turn_not_kept', { run_id: task.run.run_id, error: messageOf(error) });
      await this.#finish(task, failed(`${interruptedMessage}, and its changes could not be saved: ${messageOf(error)}`));
    }
  }

  /** Retries until it is stored, so that an agent that has ended is not run again because the disk was full for a while. */
  async #finish(task: AgentTask, outcome: RunOutcome): Promise<void> {
    const { queue, log } = this.#options;
    const { signal } = this.#stopping;
    for (let pauseMs = retryMs.first; ; pauseMs = Math.min(2 * pauseMs, retryMs.max)) {
      try {
        await queue.finish(task, outcome);
        break;
      } catch (error) {
        log.error('run_not_ended', { run_id: task.run.run_id, error: messageOf(error) });
        // The next gateway ends it as interrupted.
        if (signal.aborted) return;
        await after(pauseMs, undefined, { signal }).catch(() => {});
      }
    }
    if (task.run.environment_id === null) await this.forget(workspaceOf(task));
  }
}

const workspaceOf = ({ scope, workspace_id, run, base, work_branch }: AgentTask): Workspace => ({
  ...{ scope, workspace_id, repo: run.repo, base, work_branch },
});
