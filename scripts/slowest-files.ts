/** Which files took longest in a run of `npm test`, from its journals: what to look at when the whole takes too long. */
import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readJournal } from './journal.ts';

const count = 12;

/**
 * @param folder of the journals
 * @returns one line for each journal with times: the sum, and the files that took longest, in seconds by the clock
 */
export function slowestFiles(folder: string): string[] {
  const lines: string[] = [];
  if (!existsSync(folder)) return lines;
  for (const name of readdirSync(folder).filter((entry) => entry.endsWith('.jsonl'))) {
    const files = readJournal(join(folder, name)).flatMap((line) =>
      line.kind === 'whole' && line.ms !== undefined ? [{ file: line.file, seconds: Math.round(line.ms / 1000) }] : [],
    );
    if (files.length === 0) continue;
    const sum = files.reduce((total, { seconds }) => total + seconds, 0);
    const slowest = files.sort((a, b) => b.seconds - a.seconds).slice(0, count);
    lines.push(
      `${basename(name, '.jsonl')}: ${sum} s in ${files.length} files; ${slowest.map((at) => `${at.file} ${at.seconds}`).join(', ')}`,
    );
  }
  return lines;
}
