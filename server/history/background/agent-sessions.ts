/** The sessions of one agent: which there are, and which are to be read next. */
import { dirname } from 'node:path';
import type { Session } from '../session.ts';
import { Folders } from '../session-files.ts';
import { byId, type SessionSource } from '../session-source.ts';
import type { HistoryAgent } from '../sources.ts';
import type { ReadSessions } from './read-sessions.ts';

/** Between looks at the folder, when its changes are noticed, and when they are not. */
const pollMs = 30_000;
const unwatchedPollMs = 3_000;
/** Looking, or reading one session, takes at most a tenth of the time. */
const restFactor = 10;
/** Of a session that goes on, however long it took. */
const restMsMax = 30_000;
/** Between choices of what to read, which take time in proportion to the number of sessions. */
const fillMs = 500;
/** After so many reads, pauses that are over are removed. */
const readsBetweenCleanups = 1_000;
/** Several lines are often written at once. */
const settleMs = 150;
/** A file that cannot be read is tried again. */
const retryMs = 5 * 60_000;
/** The newest ones, whose folders are watched. */
const watchedSessions = 64;
const watchedFoldersMax = 100;

export class AgentSessions {
  readonly agent: HistoryAgent;
  readonly folder: string;
  readonly source: SessionSource;
  /** Why the folder cannot be read; null if it can, or if there is none. */
  problem: string | null = null;
  /** What in it cannot be looked at. */
  unreadable: Folders['unreadable'] = [];
  /** Spans whose ids others have. */
  conflicts = 0;
  /** Spans that can never be stored. */
  refusedSpans = 0;
  largeSpans = 0;
  /** Sessions whose sub-agents are known, because they were read since the start; with their size and time then. */
  readonly readHere = new Map<string, number>();
  /** Ids of sessions that are not read. */
  skipped: ReadonlySet<string> = new Set();
  readonly #read: ReadSessions;
  #sessions = new Map<string, Session>();
  #queue: Session[] = [];
  /** What is read and not stored yet. */
  readonly #pending = new Set<string>();
  /** When a session may be read again. */
  readonly #notBefore = new Map<string, number>();
  /** Sessions read since the start. */
  #reads = 0;
  #queuedAt = Number.NEGATIVE_INFINITY;
  #look = { endedAt: Number.NEGATIVE_INFINITY, tookMs: 0 };
  hasChange = false;
  /** Counts how often what was read was dropped. */
  drops = 0;
  /** Whether a session was written to that may not be read again yet. */
  hasResting = false;

  constructor(agent: HistoryAgent, folder: string, source: SessionSource, read: ReadSessions) {
    this.agent = agent;
    this.folder = folder;
    this.source = source;
    this.#read = read;
  }

  get sessions(): Iterable<Session> {
    return this.#sessions.values();
  }

  find(id: string | null): Session | undefined {
    return id === null ? undefined : this.#sessions.get(id);
  }

  /** Looks at the folder again if it is time. @param isWatched whether its changes are noticed */
  refresh(isWatched: boolean): void {
    const since = performance.now() - this.#look.endedAt;
    if (since < Math.max(settleMs, this.#look.tookMs * restFactor)) return;
    if (!this.hasChange && since < (isWatched ? pollMs : unwatchedPollMs)) return;
    this.hasChange = false;
    const began = performance.now();
    try {
      const folders = new Folders(this.#sessions);
      this.#sessions = byId(this.source.list(folders));
      this.unreadable = folders.unreadable;
      // A session that is not seen now is not deleted: forgotten, it would be read again, with traces that the user has deleted.
      if (folders.unreadable.length === 0) this.#read.keep(this.agent, this.#sessions);
      this.problem = null;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === undefined) throw error;
      this.#sessions.clear();
      this.problem = code === 'ENOENT' ? null : `${this.folder} cannot be read (${code}).`;
    }
    const endedAt = performance.now();
    this.#look = { endedAt, tookMs: endedAt - began };
    this.#requeue();
  }

  /** Chooses again what is to be read, if everything that was chosen is read. */
  fill(): void {
    if (this.#queue.length === 0 && performance.now() - this.#queuedAt > fillMs) this.#requeue();
  }

  #requeue(): void {
    this.#queuedAt = performance.now();
    const nowMs = Date.now();
    this.#removeEndedPauses();
    this.#queue = [...this.sessions].filter((session) => this.#isToRead(session, nowMs)).reverse();
    this.hasResting = this.#notBefore.size > 0 && [...this.sessions].some((session) => this.#isResting(session));
  }

  /** The newest session that is to be read. */
  get next(): Session | undefined {
    return this.#queue.at(-1);
  }

  /** @param keys `AGENT ID` of sessions of any agent that are not to be read */
  skip(keys: readonly string[]): void {
    const prefix = `${this.agent} `;
    const ids = keys.filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length));
    if (ids.length === this.skipped.size) return;
    this.skipped = new Set(ids);
    this.#requeue();
  }

  /** It is read now, and not again before it is stored. */
  begin(session: Session): void {
    this.readHere.set(session.id, stateOf(session));
    if (this.next === session) this.#queue.pop();
    else this.#queue = this.#queue.filter(({ id }) => id !== session.id);
    this.#pending.add(session.id);
  }

  /** @param tookMs milliseconds in which it was read @param isComplete whether all of its files could be read */
  end(session: Session, tookMs: number, isComplete: boolean): void {
    this.#notBefore.set(session.id, performance.now() + (isComplete ? Math.min(tookMs * restFactor, restMsMax) : retryMs));
    if (++this.#reads % readsBetweenCleanups === 0) this.#removeEndedPauses();
  }

  #removeEndedPauses(): void {
    for (const [id, at] of this.#notBefore) if (performance.now() >= at) this.#notBefore.delete(id);
  }

  /** Whether it was read since the start, as it was when the folder was looked at. */
  isRead(session: Session): boolean {
    return this.readHere.get(session.id) === stateOf(session);
  }

  stored(id: string): void {
    this.#pending.delete(id);
  }

  /** What was read is not stored, and will be read again. */
  drop(): void {
    this.drops++;
    this.#pending.clear();
    this.#notBefore.clear();
    this.#queuedAt = Number.NEGATIVE_INFINITY;
  }

  /** The folders in which the newest sessions are, and those above. */
  watched(): string[] {
    const folders = new Set([this.folder]);
    let left = watchedSessions;
    for (const { files } of this.sessions) {
      if (left-- === 0 || folders.size >= watchedFoldersMax) break;
      for (const { path } of files) for (const folder of foldersOf(path, this.folder)) folders.add(folder);
    }
    return [...folders];
  }

  #mayBeRead = ({ id }: Session): boolean => performance.now() >= (this.#notBefore.get(id) ?? 0);

  #isResting(session: Session): boolean {
    return !this.#mayBeRead(session) && !this.#pending.has(session.id) && !this.#read.isCurrent(this.agent, session);
  }

  #isToRead(session: Session, nowMs: number): boolean {
    const { id } = session;
    if (this.skipped.has(id) || this.#pending.has(id) || !this.#mayBeRead(session)) return false;
    return !this.#read.isCurrent(this.agent, session) || this.#read.isUnfinished(this.agent, id, nowMs);
  }
}

/** Its size and time as one number, because there are tens of thousands and a text takes more memory. Below 2 ** 53, so that every byte counts. */
const stateOf = ({ bytes, modifiedMs }: Session): number => modifiedMs * 1_000 + bytes;

/** From the folder of a file up to the one below `top`. */
function* foldersOf(path: string, top: string): Generator<string> {
  for (let folder = dirname(path); folder.length > top.length; folder = dirname(folder)) yield folder;
}
