/** Where the sessions of one coding agent are, and how they are read. */
import type { FileSpans, HistoryOptions, HistoryReport } from './read-file.ts';
import type { Session } from './session.ts';
import type { Folders } from './session-files.ts';

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
