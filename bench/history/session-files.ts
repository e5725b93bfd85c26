/** A home folder with as many session files as asked for: the recorded ones again and again, under other ids and at other times. */
import { mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { projectsFolder as claudeProjects } from '../../server/history/claude-code/fixtures/recorded.ts';
import { sessionsFolder as codexSessions } from '../../server/history/codex/fixtures/recorded.ts';
import { sessionsFolder as geminiSessions } from '../../server/history/gemini/fixtures/recorded.ts';

const places = [
  [claudeProjects, '.claude/projects'],
  [codexSessions, '.codex/sessions'],
  [geminiSessions, '.gemini/tmp'],
] as const;
/** Copies of one folder: people have tens of projects, not thousands. */
const copiesInFolder = 100;
const minuteMs = 60_000;

interface Recorded {
  folder: string;
  path: string;
  text: string;
}

/** Ids of sessions and their parts, and the times of lines, which Codex has in the names of files, too. */
const id = /([0-9a-f]{8})-[0-9a-f]{4}-([0-9a-f])[0-9a-f]{3}-[0-9a-f]{4}-([0-9a-f]{12})/g;
const time = /20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;

/** @returns the number of files, and their size in bytes */
export function writeSessionFiles(home: string, bytes: number): { files: number; bytes: number } {
  const recorded = places.flatMap(([from, to]) => filesIn(from).map((path) => read(from, path, to)));
  const written = { files: 0, bytes: 0 };
  const newestMs = Date.now() - 30 * minuteMs;
  for (let copy = 0; written.bytes < bytes; copy++) {
    const atMs = newestMs - copy * minuteMs;
    for (const { folder, path, text } of recorded) {
      const renamed = renumber(copy);
      const file = join(home, folder, renamed(placeOf(path, copy)));
      const content = renamed(text).replace(time, (found) => moved(found, atMs));
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
      utimesSync(file, atMs / 1000, atMs / 1000);
      written.files++;
      written.bytes += content.length;
    }
  }
  return written;
}

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => statSync(join(folder, path)).isFile());

const read = (from: string, path: string, folder: string): Recorded => ({ folder, path, text: readFileSync(join(from, path), 'utf8') });

/** Ids of version 7 keep the time that they begin with: their order says what was copied. Of others the names of files have the beginning. */
const renumber = (copy: number) => (text: string) =>
  text.replace(id, (found, begin: string, version: string, end: string) =>
    version === '7' ? found.slice(0, -12) + changed(end, copy) : changed(begin, copy) + found.slice(8),
  );

const changed = (digits: string, copy: number): string => (BigInt(`0x${digits}`) ^ BigInt(copy)).toString(16).padStart(digits.length, '0');

function placeOf(path: string, copy: number): string {
  const [first = '', ...rest] = path.split('/');
  const folder = Math.floor(copy / copiesInFolder);
  const inside =
    first === '2026' ? `2026/11/${String(1 + (folder % 28)).padStart(2, '0')}/${rest.at(-1)}` : [`${first}-${folder}`, ...rest].join('/');
  return inside.replace(/(?<=session-.*-)[0-9a-f]{8}(?=\.jsonl$)/, (digits) => changed(digits, copy));
}

/** Recorded on one day in November 2026: the time within the recording is kept. */
const recordedMs = Date.parse('2026-11-28T13:00:00Z');
const moved = (found: string, atMs: number): string => {
  const parsed = Date.parse(found) - recordedMs;
  return Math.abs(parsed) > 24 * 60 * minuteMs ? found : new Date(atMs + parsed - 2 * 60 * minuteMs).toISOString();
};
