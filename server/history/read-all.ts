/** Reads all sessions of an agent, newest first. */
import type { FileSpans, HistoryOptions, HistoryReport } from './read-file.ts';
import type { Session } from './session.ts';
import { Folders } from './session-files.ts';
import { byId, type SessionSource } from './session-source.ts';

/** Sessions older than `sinceMs` are left out and counted. @throws what the file system throws if the folder cannot be read */
export async function* readAll(source: SessionSource, options: HistoryOptions, report: HistoryReport): AsyncGenerator<FileSpans> {
  const folders = new Folders();
  const sessions = source.list(folders);
  report.unreadable.push(...folders.unreadable);
  const found = byId(sessions);
  const done = new Set<string>();
  async function* read(session: Session): AsyncGenerator<FileSpans> {
    if (done.has(session.id)) return;
    done.add(session.id);
    if (session.modifiedMs < options.sinceMs) {
      report.olderFiles += session.files.length;
      return;
    }
    const start = found.get((await source.startOf(session)) ?? '');
    if (start) yield* read(start);
    yield* source.read(session, options, report);
  }
  for (const session of sessions) yield* read(session);
}
