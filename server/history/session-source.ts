/** Where the sessions of one coding agent are, and how they are read. */
import type { FileSpans, HistoryOptions, HistoryReport } from './read-file.ts';
import type { Folders, SessionFile } from './session-files.ts';

/**
 * What is read together: the file of a session with those of its sub-agents, or the file of a sub-agent that is apart from its session. There are tens
 * of thousands, so each takes no more memory than it needs: one file is in no list.
 */
export class Session {
  /** The same for as long as the session exists. */
  readonly id: string;
  /** Whether a sub-agent has it, so that it is no session of its own. */
  readonly isAgent: boolean;
  readonly #files: SessionFile | readonly SessionFile[];

  /** @param others files of sub-agents */
  constructor(id: string, file: SessionFile, others: readonly SessionFile[] = [], isAgent = false) {
    this.id = id;
    this.isAgent = isAgent;
    this.#files = others.length === 0 ? file : [file, ...others];
  }

  /** The first is that of the session. */
  get files(): readonly [SessionFile, ...SessionFile[]] {
    return ('path' in this.#files ? [this.#files] : this.#files) as [SessionFile, ...SessionFile[]];
  }

  get bytes(): number {
    return 'path' in this.#files ? this.#files.bytes : this.#files.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Of its newest file. Milliseconds since the epoch. */
  get modifiedMs(): number {
    return 'path' in this.#files ? this.#files.modifiedMs : this.#files.reduce((latest, file) => Math.max(latest, file.modifiedMs), 0);
  }
}

export interface SessionSource {
  /**
   * Newest first. Opens no file.
   * @param folders has what could not be looked at afterwards
   * @throws what the file system throws if the folder cannot be read
   */
  list(folders: Folders): Session[];
  /** The id of the session that started this one, if it is that of a sub-agent: it must be read before. Null for others. */
  startOf(session: Session): Promise<string | null>;
  /** Spans in the order of the lines. What cannot be read is in the report. */
  read(session: Session, options: HistoryOptions, report: HistoryReport): AsyncGenerator<FileSpans>;
}

export const newestFirst = (sessions: Session[]): Session[] =>
  sessions.sort((a, b) => b.modifiedMs - a.modifiedMs || (a.id < b.id ? -1 : 1));

/** Newest first, as they are given. Of several with one id, as after a copy, the newest. */
export function byId(sessions: readonly Session[]): Map<string, Session> {
  const found = new Map<string, Session>();
  for (const session of sessions) if (!found.has(session.id)) found.set(session.id, session);
  return found;
}
