/**
 * Reads the sessions of Codex that are on this machine as spans. Only files called `rollout-….jsonl`, or `rollout-….jsonl.zst` as Codex compresses
 * them later, are opened, in the folder and the folders of days in it.
 */
import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { HistorySpan } from '../otlp-span.ts';
import { type HistoryOptions, type HistoryReport, isOlder, readFile } from '../read-file.ts';
import { entriesOf, filesOf } from '../session-files.ts';
import { RolloutReader } from './rollout-reader.ts';
import { StartedAgents } from './started-agents.ts';

/** Year, month and day. */
const foldersMax = 3;
const rollout = /^rollout-.*?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl(?:\.zst)?$/;

/** Oldest first: a sub-agent is read after what started it. @throws what the file system throws if the folder cannot be read */
export async function* readHistory(options: HistoryOptions, report: HistoryReport): AsyncGenerator<HistorySpan[]> {
  const started = new StartedAgents();
  for await (const { folder, names } of foldersOf(options.folder, await readdir(options.folder, { withFileTypes: true }), foldersMax)) {
    for (const file of await filesOf(folder, names)) {
      if (isOlder(file, options, report, 1)) continue;
      const threadId = rollout.exec(file.path.slice(folder.length + 1))?.[1] ?? '';
      yield* readFile(file, new RolloutReader({ threadId, sinceMs: options.sinceMs, started }), options, report);
    }
  }
}

async function* foldersOf(folder: string, entries: Dirent[], depth: number): AsyncGenerator<{ folder: string; names: { name: string }[] }> {
  const sorted = entries.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const plain = new Set(entries.map(({ name }) => name));
  const isRead = (entry: Dirent) => entry.isFile() && rollout.test(entry.name);
  // While a compressed session goes on, it is there twice.
  yield { folder, names: sorted.filter((entry) => isRead(entry) && !(entry.name.endsWith('.zst') && plain.has(entry.name.slice(0, -4)))) };
  if (depth === 0) return;
  for (const { name } of sorted.filter((entry) => entry.isDirectory()))
    yield* foldersOf(join(folder, name), await entriesOf(folder, name), depth - 1);
}
