/**
 * The history of the coding agents of this machine: which there is, and storing that of the agents whose user asked for it. A thread reads the
 * files; what it reads is stored like everything else that arrives, one request at a time.
 */
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { IngestPipeline } from '../../ingest/pipeline.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { Scope } from '../../platform/scope.ts';
import { ThreadDied } from '../../platform/thread-queue.ts';
import { type HistoryAgent, type Home, historyAgents, sessionFolder } from '../sources.ts';
import { BatchStore, type NotStored } from './batch-store.ts';
import type { FoundHistory } from './found-history.ts';
import { readShown, writeShown } from './history-settings.ts';
import { HistoryThread } from './history-thread-link.ts';

/** How long the thread waits for changes at most, which is also how long a setting takes to have an effect. */
const waitMs = 1_000;
/** How long a thread that looked what there is waits for another look. */
const idleMs = 60_000;
/** Before another attempt to start the thread. */
const retryMs = 5_000;
/** A thread that dies so often at one session dies because of it. */
const deathsMax = 2;
const none: NotStored = { conflicts: 0, refused: 0 };

export interface ShownHistory extends FoundHistory {
  isShown: boolean;
  state: 'off' | 'reading' | 'up-to-date' | 'failed';
}

interface HistoryParts {
  home: Home;
  dataDir: string;
  threadEntry: URL;
  ingest: IngestPipeline;
  scope: Scope;
  clock: Clock;
  log: Log;
  /** Id of the store. */
  installation: () => Promise<string>;
}

export class AgentHistory {
  readonly #parts: HistoryParts;
  readonly #settings: string;
  readonly #newThread: () => HistoryThread;
  readonly #store: BatchStore;
  readonly #stopping = new AbortController();
  #shown: Set<HistoryAgent> | null = null;
  #running: { thread: HistoryThread; end: Promise<void> } | null = null;
  #looking: { thread: HistoryThread; timer: NodeJS.Timeout } | null = null;
  /** At the last look. */
  #agents: FoundHistory[] | null = null;
  /** Nothing was left to read at the last look. */
  #isIdle = false;
  /** Why nothing can be stored or read now; '' if it can. */
  #problem = '';
  /** Why the settings are not saved; null if they are. */
  #unremembered: string | null = null;
  /** How often a thread died at a session, by its `sessionKey`. */
  readonly #deaths = new Map<string, number>();
  #lastChange: Promise<unknown> = Promise.resolve();

  constructor(parts: HistoryParts) {
    const { home, dataDir, threadEntry, installation } = parts;
    this.#parts = parts;
    this.#settings = join(dataDir, 'agent-history.json');
    const onProblem = (why: string) => {
      this.#problem = why;
    };
    this.#store = new BatchStore({ ...parts, stopping: this.#stopping.signal, onProblem });
    const folders = Object.fromEntries(historyAgents.map((agent) => [agent, sessionFolder[agent](home)])) as Record<HistoryAgent, string>;
    const file = join(dataDir, 'agent-history-read.jsonl');
    this.#newThread = () =>
      new HistoryThread(threadEntry, async () => ({ role: 'history', folders, file, installation: await installation() }));
  }

  /** Goes on with what was asked for before. Called after the gateway answers, so that it delays no start. */
  start(): void {
    void this.#settled().then(() => this.#run());
  }

  /** All agents that are known, found or not. @throws ThreadDied */
  async list(): Promise<ShownHistory[]> {
    const shown = await this.#settled();
    const agents = this.#running && this.#agents ? this.#agents : await this.#look();
    return agents.map((found) => ({ ...found, isShown: shown.has(found.agent), ...this.#stateOf(found, shown.has(found.agent)) }));
  }

  /** Begins or stops to read the history of some agents, and remembers it. What was read stays. */
  async show(agents: readonly HistoryAgent[], isShown: boolean): Promise<void> {
    const change = this.#lastChange.then(async () => {
      const shown = new Set(await this.#settled());
      for (const agent of agents) shown[isShown ? 'add' : 'delete'](agent);
      this.#shown = shown;
      this.#isIdle = false;
      this.#run();
      await this.#remember(shown);
    });
    this.#lastChange = change;
    await change;
  }

  /** A full disk is no reason not to do what was asked for. */
  async #remember(shown: ReadonlySet<HistoryAgent>): Promise<void> {
    try {
      await writeShown(this.#settings, shown);
      this.#unremembered = null;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === undefined) throw error;
      this.#unremembered = `This setting could not be saved (${code}), and is lost when the gateway stops.`;
    }
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#stopLooking();
    await this.#running?.thread.stop();
    await this.#running?.end;
  }

  async #settled(): Promise<Set<HistoryAgent>> {
    this.#shown ??= await readShown(this.#settings);
    return this.#shown;
  }

  #stateOf({ problem }: FoundHistory, isShown: boolean): Pick<ShownHistory, 'state' | 'problem'> {
    if (!isShown) return { state: 'off', problem: problem ?? this.#unremembered };
    const why = problem ?? (this.#problem || null);
    return { state: why !== null ? 'failed' : this.#isIdle ? 'up-to-date' : 'reading', problem: why ?? this.#unremembered };
  }

  /** What there is, while nothing is read. */
  async #look(): Promise<FoundHistory[]> {
    this.#looking ??= { thread: this.#newThread(), timer: setTimeout(() => void this.#stopLooking(), idleMs).unref() };
    this.#looking.timer.refresh();
    try {
      const { agents } = await this.#looking.thread.ask({
        shown: [],
        stored: 0,
        notStored: none,
        dropped: [],
        skipped: this.#skipped,
        waitMs: 0,
      });
      this.#agents = agents;
      return agents;
    } catch (error) {
      await this.#stopLooking();
      throw error;
    }
  }

  async #stopLooking(): Promise<void> {
    const looking = this.#looking;
    this.#looking = null;
    clearTimeout(looking?.timer);
    await looking?.thread.stop();
  }

  /** Reads for as long as somebody's history is shown. */
  #run(): void {
    if (this.#running || this.#stopping.signal.aborted || !this.#shown?.size) return;
    // The one that looked knows the files already, and has read nothing.
    const thread = this.#looking?.thread ?? this.#newThread();
    clearTimeout(this.#looking?.timer);
    this.#looking = null;
    const end = this.#readOn(thread).finally(() => {
      this.#running = null;
      this.#run();
    });
    this.#running = { thread, end };
  }

  async #readOn(thread: HistoryThread): Promise<void> {
    const { signal } = this.#stopping;
    try {
      await this.#storeAll(thread);
    } catch (error) {
      if (signal.aborted) return;
      await thread.stop();
      if (error instanceof ThreadDied) this.#noteDeath(thread);
      this.#parts.log.error('agent_history_not_read', { reason: String(error), again_in_ms: retryMs });
      this.#problem = 'Reading failed, and is tried again in a moment. The reason is in the log of the gateway.';
      await wait(retryMs, undefined, { signal }).catch(() => {});
    } finally {
      // What it has read and was not stored is read again.
      await thread.stop();
      this.#agents = null;
    }
  }

  /** The sessions that are not read. */
  get #skipped(): string[] {
    return [...this.#deaths].filter(([, deaths]) => deaths >= deathsMax).map(([session]) => session);
  }

  /** Another thread does not try for ever to read a session that this one died at. */
  #noteDeath({ reading }: HistoryThread): void {
    if (reading === null) return;
    const deaths = (this.#deaths.get(reading) ?? 0) + 1;
    this.#deaths.set(reading, deaths);
    if (deaths === deathsMax) this.#parts.log.error('agent_history_session_skipped', { session: reading });
  }

  /** The next batch is read while one is stored. @throws ThreadDied, and what a thread throws */
  async #storeAll(thread: HistoryThread): Promise<void> {
    let [stored, notStored] = [0, none];
    let dropped: HistoryAgent[] = [];
    const ask = () => {
      const request = { shown: [...(this.#shown ?? [])], stored, notStored, dropped, skipped: this.#skipped, waitMs };
      [notStored, dropped] = [none, []];
      return thread.ask(request);
    };
    let asked = ask();
    while (this.#shown?.size) {
      const { batch, isDone, agents } = await asked;
      this.#agents = agents;
      this.#isIdle = isDone;
      asked = ask();
      // Of a request that is not waited for because storing failed.
      asked.catch(() => {});
      if (!batch) {
        this.#problem = '';
        continue;
      }
      const isWanted = () => this.#shown?.has(batch.agent) === true;
      const result = await this.#store.store(batch.body, isWanted);
      if (result) notStored = result;
      else dropped = [batch.agent];
      stored = batch.number;
      this.#problem = '';
    }
  }
}
