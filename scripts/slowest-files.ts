/** Which files took longest in a run of `npm test`, from its journals: what to look at when the whole takes too long. */
import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Line, readJournal } from './journal.ts';

const count = 15;

interface Took {
  file: string;
  seconds: number;
}

/**
 * @param folder of the journals
 * @returns for each journal with times one line by the clock, and one by processor time if that is known: the sum, and the files that took longest
 */
export function slowestFiles(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((entry) => entry.endsWith('.jsonl'));
  return names.flatMap((name) => {
    const lines = readJournal(join(folder, name));
    const runner = basename(name, '.jsonl');
    return [...summary(`${runner} by the clock`, lines.flatMap(byClock)), ...summary(`${runner} by processor`, lines.flatMap(byProcessor))];
  });
}

const byClock = (line: Line): Took[] =>
  line.kind === 'whole' && line.ms !== undefined ? [{ file: line.file, seconds: Math.round(line.ms / 1000) }] : [];

const byProcessor = (line: Line): Took[] => (line.kind === 'processor' ? [{ file: line.file, seconds: Math.round(line.seconds) }] : []);

function summary(title: string, files: Took[]): string[] {
  if (files.length === 0) return [];
  const sum = files.reduce((total, { seconds }) => total + seconds, 0);
  const slowest = files.sort((a, b) => b.seconds - a.seconds).slice(0, count);
  return [`${title}: ${sum} s in ${files.length} files; ${slowest.map((at) => `${at.file} ${at.seconds}`).join(', ')}`];
}
