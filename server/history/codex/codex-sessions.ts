/**
 * The sessions of Codex that are on this machine. Only files called `rollout-….jsonl`, or `rollout-….jsonl.zst` as Codex compresses them later,
 * are opened, in the folder and the folders of days in it.
 */
import { type Dirent, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { firstLineOf } from '../lines.ts';
import { type FileSpans, type HistoryOptions, type HistoryReport, readFile } from '../read-file.ts';
import type { Session } from '../session.ts';
import type { Folders } from '../session-files.ts';
import { newestFirst, type SessionSource } from '../session-source.ts';
import { readLine } from './rollout-line.ts';
import { RolloutReader } from './rollout-reader.ts';
import { StartedAgents } from './started-agents.ts';

/** Year, month and day. */
const foldersMax = 3;
const rollout = /rollout-[^/\\]*?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl(?:\.zst)?$/;

const threadOf = (path: string): string => rollout.exec(path)?.[1] ?? '';

export class CodexSessions implements SessionSource {
  readonly #folder: string;
  readonly #started = new StartedAgents();

  constructor(folder: string) {
    this.#folder = folder;
  }

  list(folders: Folders): Session[] {
    return newestFirst(sessionsIn(folders, this.#folder, readdirSync(this.#folder, { withFileTypes: true }), foldersMax));
  }

  async startOf({ id, files: [file] }: Session): Promise<string | null> {
    const line = readLine(await firstLineOf(file.path));
    if (line === null || line === 'damaged' || line.what.kind !== 'session') return null;
    return line.what.parentId === '' || line.what.parentId === id ? null : line.what.parentId;
  }

  async *read({ id, files: [file] }: Session, options: HistoryOptions, report: HistoryReport): AsyncGenerator<FileSpans> {
    yield* readFile(file, new RolloutReader({ threadId: id, sinceMs: options.sinceMs, started: this.#started }), options, report);
  }
}

function sessionsIn(folders: Folders, folder: string, entries: Dirent[], depth: number): Session[] {
  const plain = new Set(entries.map(({ name }) => name));
  const isRead = (entry: Dirent) => entry.isFile() && entry.name.startsWith('rollout-') && rollout.test(entry.name);
  // While a compressed session goes on, it is there twice.
  const rollouts = entries.filter((entry) => isRead(entry) && !(entry.name.endsWith('.zst') && plain.has(entry.name.slice(0, -4))));
  const deeper = depth === 0 ? [] : entries.filter((entry) => entry.isDirectory());
  const inside = deeper.flatMap(({ name }) => sessionsIn(folders, join(folder, name), folders.entriesOf(folder, name), depth - 1));
  const sessions = folders.filesOf(folder, rollouts).map((file) => folders.session(threadOf(file.path), file));
  return [...sessions, ...inside];
}
