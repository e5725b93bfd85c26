/**
 * The sessions of pi that are on this machine. Only files called `TIME_SESSION.jsonl` are opened, in the folder and in the folders in it, one for
 * each project.
 */
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type FileSpans, type HistoryOptions, type HistoryReport, readFile } from '../read-file.ts';
import type { Session } from '../session.ts';
import type { Folders } from '../session-files.ts';
import { newestFirst, type SessionSource } from '../session-source.ts';
import { SessionReader } from './session-reader.ts';

const sessionFile = /^(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d)-(\d{3}Z)_([\w.-]+)\.jsonl$/;

export class PiSessions implements SessionSource {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  list(folders: Folders): Session[] {
    const projects = readdirSync(this.#folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    return newestFirst([this.#sessionsIn(folders), ...projects.map(({ name }) => this.#sessionsIn(folders, name))].flat());
  }

  async startOf(): Promise<null> {
    return null;
  }

  async *read({ files: [file] }: Session, { sinceMs, nowMs }: HistoryOptions, report: HistoryReport): AsyncGenerator<FileSpans> {
    yield* readFile(file, new SessionReader({ ...namedIn(file.path), sinceMs }), { sinceMs, nowMs }, report);
  }

  #sessionsIn(folders: Folders, ...inside: string[]): Session[] {
    const files = folders.entriesOf(this.#folder, ...inside).filter((entry) => entry.isFile() && sessionFile.test(entry.name));
    return folders.filesOf(join(this.#folder, ...inside), files).map((file) => folders.session(namedIn(file.path).sessionId, file));
  }
}

/** What the name of a session file says. */
export function namedIn(path: string): { sessionId: string; createdMs: number } {
  const [, hour, minute, second, fraction, id] = sessionFile.exec(basename(path)) ?? [];
  const createdMs = Date.parse(`${hour}:${minute}:${second}.${fraction}`);
  return { sessionId: id ?? '', createdMs: Number.isNaN(createdMs) ? 0 : createdMs };
}
