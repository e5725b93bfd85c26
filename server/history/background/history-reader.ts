/**
 * Reads the sessions of all agents that are shown, newest first, into requests for the gateway, and goes on with what is added. What was stored of
 * a session is remembered when the gateway has confirmed it, so that only what is new is sent.
 */

import type { HistorySpan } from '../otlp-span.ts';
import { HistoryReport } from '../read-file.ts';
import type { Session } from '../session.ts';
import { type HistoryAgent, historyAgents, sourceOf } from '../sources.ts';
import { SpanBatch } from '../span-batch.ts';
import { AgentSessions } from './agent-sessions.ts';
import type { NotStored } from './batch-store.ts';
import { FolderWatch } from './folder-watch.ts';
import { type FoundHistory, foundOf } from './found-history.ts';
import { ReadSessions } from './read-sessions.ts';

/** In UTF-16 code units. Small, so that other senders wait for little. */
const batchLength = 256 * 1024;
/** A batch that is not full is sent after this time. */
const flushMs = 200;
/** Between saves: a crash reads again what came after the last one. */
const saveMs = 5_000;
const idleSaveMs = 30_000;
/** Counting what was read takes time in proportion to the number of sessions. */
const countMs = 300;

export interface HistoryBatch {
  /** From 1, in order. */
  number: number;
  agent: HistoryAgent;
  /** OTLP/JSON. */
  body: Uint8Array<ArrayBuffer>;
}

export interface ReadRequest {
  shown: readonly HistoryAgent[];
  /** Number of the newest batch that is stored, and how many of its spans are not. */
  stored: number;
  notStored: NotStored;
  /** Agents of which a batch was not stored because they were turned off, if only for a moment. */
  dropped: readonly HistoryAgent[];
  /** `sessionKey` of sessions that are not read. */
  skipped: readonly string[];
  /** How long to wait for something new, if nothing is there. */
  waitMs: number;
}

export interface ReadReply {
  /** Null for none now. The one before may still be on its way. */
  batch: HistoryBatch | null;
  /** Everything is read and stored. */
  isDone: boolean;
  agents: FoundHistory[];
}

/** Names a session of any agent. */
export const sessionKey = (agent: HistoryAgent, id: string): string => `${agent} ${id}`;

const compressed = '.zst';
/** What is known of a file stays known when it is compressed. */
const placeOf = (path: string): string => (path.endsWith(compressed) ? path.slice(0, -compressed.length) : path);

interface Pending {
  batch: number;
  sessions: AgentSessions;
  session: Session;
  read: Parameters<ReadSessions['set']>[2];
}

export class HistoryReader {
  readonly #read: ReadSessions;
  readonly #agents: AgentSessions[];
  readonly #onReading: (session: string | null) => void;
  readonly #watch = new FolderWatch();
  readonly #batch = new SpanBatch(batchLength);
  readonly #batches = this.#readOn();
  #of: AgentSessions;
  #shown = new Set<HistoryAgent>();
  #number = 1;
  #stored = 0;
  #pending: Pending[] = [];
  #flushedAt = 0;
  #savedAt = Number.NEGATIVE_INFINITY;
  #hasRead = false;
  #found: { at: number; agents: FoundHistory[] } | null = null;

  /**
   * @param folders that the agents keep their sessions in
   * @param file where it remembers what was read
   * @param installation id of the store
   * @param onReading told the `sessionKey` of the session that is read from now on; null for none
   */
  constructor(
    folders: Record<HistoryAgent, string>,
    file: string,
    installation: string,
    onReading: (session: string | null) => void = () => {},
  ) {
    this.#onReading = onReading;
    this.#read = new ReadSessions(file, installation);
    const sessions = (agent: HistoryAgent) => new AgentSessions(agent, folders[agent], sourceOf(agent, folders[agent]), this.#read);
    this.#agents = historyAgents.map(sessions);
    this.#of = sessions('claude-code');
  }

  async next({ shown, stored, notStored, dropped, skipped, waitMs }: ReadRequest): Promise<ReadReply> {
    for (const sessions of this.#agents) if (shown.includes(sessions.agent) && !this.#shown.has(sessions.agent)) sessions.hasChange = true;
    this.#drop(new Set([...dropped, ...[...this.#shown].filter((agent) => !shown.includes(agent))]));
    this.#shown = new Set(shown);
    for (const sessions of this.#agents) sessions.skip(skipped);
    this.#confirm(stored, notStored);
    const { value: batch } = await this.#batches.next();
    if (performance.now() - this.#savedAt > (batch ? saveMs : idleSaveMs)) this.save();
    const isIdle = !batch && this.#pending.length === 0;
    const isDone = isIdle && !this.#agents.some(({ agent, hasResting }) => hasResting && this.#shown.has(agent));
    const agents = this.#agentsFound(isIdle);
    if (isIdle) await this.#watch.wait(waitMs);
    return { batch: batch ?? null, isDone, agents };
  }

  /** Without end. Null: nothing is to be read now. */
  async *#readOn(): AsyncGenerator<HistoryBatch | null, never> {
    for (;;) {
      this.#refresh();
      const sessions = this.#newest();
      const session = sessions?.next;
      if (sessions && session) yield* this.#readSession(sessions, session);
      const isDue = !session || performance.now() - this.#flushedAt > flushMs;
      if (isDue && this.#batch.count > 0) yield this.#take();
      else if (!session) yield null;
    }
  }

  /** What was read of these agents and is not stored will be read again. */
  #drop(agents: ReadonlySet<HistoryAgent>): void {
    if (agents.size === 0) return;
    for (const sessions of this.#agents) if (agents.has(sessions.agent)) sessions.drop();
    this.#pending = this.#pending.filter(({ sessions }) => !agents.has(sessions.agent));
    if (!agents.has(this.#of.agent) || this.#batch.count === 0) return;
    this.#batch.take();
    // Those that wait for it have nothing in it.
    for (const pending of this.#pending) pending.batch = Math.min(pending.batch, this.#number - 1);
  }

  #refresh(): void {
    if (this.#watch.takeChange()) for (const sessions of this.#agents) sessions.hasChange = true;
    for (const sessions of this.#agents) sessions.refresh(this.#watch.isComplete || !this.#shown.has(sessions.agent));
    const watched = this.#agents.filter(({ agent }) => this.#shown.has(agent));
    this.#watch.set(new Set(watched.flatMap((sessions) => sessions.watched())));
  }

  #newest(): AgentSessions | undefined {
    const shown = this.#agents.filter(({ agent }) => this.#shown.has(agent));
    for (const sessions of shown) sessions.fill();
    const time = ({ next }: AgentSessions) => next?.modifiedMs ?? Number.NEGATIVE_INFINITY;
    return shown.filter(({ next }) => next).sort((a, b) => time(b) - time(a))[0];
  }

  async *#readSession(sessions: AgentSessions, session: Session): AsyncGenerator<HistoryBatch> {
    const { agent, source } = sessions;
    sessions.begin(session);
    const { drops } = sessions;
    let tookMs = 0;
    let began = 0;
    const known = this.#linesStored(agent, session);
    const report = new HistoryReport();
    const lines = new Map<string, number>();
    const traces = new Set<string>();
    const nowMs = Date.now();
    const reading = sessionKey(agent, session.id);
    try {
      this.#onReading(reading);
      yield* this.#readStart(sessions, session);
      if (sessions.drops !== drops) return;
      this.#onReading(reading);
      began = performance.now();
      for await (const { path, line, spans } of source.read(session, { sinceMs: 0, nowMs }, report)) {
        if (sessions.drops !== drops) return;
        for (const { traceId, parentSpanId } of spans) if (parentSpanId === '') traces.add(traceId);
        // The last line may be half written.
        const place = placeOf(path);
        if (line !== null) lines.set(place, line - 1);
        for (const span of line === null || line > (known.get(place) ?? 0) ? spans : []) {
          const batch = this.#add(sessions, span);
          if (!batch) continue;
          // Storing a batch may take any time.
          tookMs += performance.now() - began;
          yield batch;
          if (sessions.drops !== drops) return;
          began = performance.now();
        }
      }
    } catch {
      // One file that is not understood must not keep the others from being read.
      report.unreadable.push({ path: session.files[0].path, why: 'it is not understood' });
    } finally {
      this.#onReading(null);
    }
    if (sessions.drops !== drops) return;
    sessions.end(session, tookMs + performance.now() - began, report.unreadable.length === 0);
    this.#remember(sessions, session, {
      ...{ bytes: session.bytes, modifiedMs: session.modifiedMs, files: session.files.length },
      ...{ isOver: nowMs > report.overMs, overMs: report.overMs, lines: [...lines], traces: traces.size },
      ...{ damagedLines: report.damagedLines, longLines: report.longLines, unreadable: report.unreadable },
    });
  }

  /**
   * Reads the session that started this one, unless it was read. When this one is read for the first time, it may have begun after that, and the other
   * is read again if it went on.
   */
  async *#readStart(sessions: AgentSessions, session: Session): AsyncGenerator<HistoryBatch> {
    const start = sessions.find(await sessions.source.startOf(session));
    if (!start || sessions.skipped.has(start.id)) return;
    const isNew = !this.#read.has(sessions.agent, session.id);
    if (isNew ? !sessions.isRead(start) : !sessions.readHere.has(start.id)) yield* this.#readSession(sessions, start);
  }

  /** How many lines of each file are stored. */
  #linesStored(agent: HistoryAgent, session: Session): Map<string, number> {
    const before = this.#read.find(agent, session.id);
    // A file is smaller when it was written anew, or compressed.
    const isSame = before && (before.bytes <= session.bytes || session.files.some(({ path }) => path.endsWith(compressed)));
    return new Map(isSame ? before.lines : []);
  }

  /** @returns the batch before it, if it does not fit in */
  #add(sessions: AgentSessions, span: HistorySpan): HistoryBatch | null {
    let before = this.#of !== sessions && this.#batch.count > 0 ? this.#take() : null;
    this.#of = sessions;
    let added = this.#batch.add(span);
    if (added === 'full') {
      before = this.#take();
      added = this.#batch.add(span);
    }
    if (added === 'too large') sessions.largeSpans++;
    return before;
  }

  #take(): HistoryBatch {
    this.#flushedAt = performance.now();
    return { number: this.#number++, agent: this.#of.agent, body: new TextEncoder().encode(this.#batch.take()) };
  }

  #remember(sessions: AgentSessions, session: Session, read: Pending['read']): void {
    this.#hasRead = true;
    this.#pending.push({ batch: this.#batch.count > 0 ? this.#number : this.#number - 1, sessions, session, read });
    this.#confirm(this.#stored);
  }

  /** @param stored number of the newest batch that is stored */
  #confirm(stored: number, { conflicts, refused }: NotStored = { conflicts: 0, refused: 0 }): void {
    this.#stored = stored;
    this.#of.conflicts += conflicts;
    this.#of.refusedSpans += refused;
    const done = this.#pending.filter(({ batch }) => batch <= stored);
    this.#pending = this.#pending.filter(({ batch }) => batch > stored);
    for (const { sessions, session, read } of done) {
      this.#read.set(sessions.agent, session.id, read);
      sessions.stored(session.id);
    }
  }

  #agentsFound(isIdle: boolean): FoundHistory[] {
    const now = performance.now();
    if (!this.#found || isIdle || now - this.#found.at > countMs)
      this.#found = { at: now, agents: this.#agents.map((sessions) => foundOf(sessions, this.#read)) };
    return this.#found.agents;
  }

  /** A full disk stops nothing: what is not remembered is read again. One that only looked saves nothing: another may be reading. */
  save(): void {
    if (!this.#hasRead || this.#read.isSaved) return;
    this.#savedAt = performance.now();
    try {
      this.#read.save();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    }
  }
}
