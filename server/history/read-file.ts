/** Reads one session file, whatever its agent, and counts what was read and what was not. */
import { documentOf, linesOf } from './lines.ts';
import type { HistorySpan } from './otlp-span.ts';
import type { SessionFile } from './session.ts';

/** A line has a message or a part of one; the largest are images. In bytes. */
const lineSizeMax = 16 * 1024 * 1024;
/** A file that was not written to for so long belongs to a session that is over, or waits for a prompt. */
const quietMs = 10 * 60_000;
/** Unless something is open: a tool may run for hours, or wait for the user, and a span that was stored with its end stays as it is. */
const abandonedMs = 7 * 24 * 3_600_000;

export interface HistoryOptions {
  /** What is older is left out. Milliseconds since the epoch. */
  sinceMs: number;
  nowMs: number;
}

/** What was read and what was not, counted while reading. */
export class HistoryReport {
  files = 0;
  olderFiles = 0;
  damagedLines = 0;
  longLines = 0;
  /** Files that cannot be read, and why. */
  readonly unreadable: { path: string; why: string }[] = [];
  /** When everything is taken to be over, if nothing more is written. Milliseconds since the epoch. */
  overMs = 0;

  /** @param overMs when a file is taken to be over */
  waitUntil(overMs: number): void {
    this.overMs = Math.max(this.overMs, overMs);
  }
}

/** Makes spans of the lines of a file. */
export interface LineReader {
  /** Lines that are incomplete or damaged. */
  readonly damaged: number;
  /** Whether something is not over after the last line: a prompt without its answer, or a tool without its result. */
  readonly hasOpenWork: boolean;
  /** @returns the spans that are complete now */
  read(line: string): HistorySpan[];
  /** @param isOver whether nothing will be added to the file; else spans that may change have no end */
  end(isOver: boolean): HistorySpan[];
}

/** The spans that were complete after a line. */
export interface FileSpans {
  path: string;
  /** From 1; null after the last one. */
  line: number | null;
  spans: HistorySpan[];
}

/** @param file of lines, or a document if its name ends in .json @returns whether it is taken to be over */
export async function* readFile(
  file: SessionFile,
  reader: LineReader,
  options: HistoryOptions,
  report: HistoryReport,
): AsyncGenerator<FileSpans, boolean> {
  const { path } = file;
  let number = 0;
  const isDocument = file.path.endsWith('.json');
  const lines = isDocument ? documentOf : linesOf;
  try {
    for await (const line of lines(path, lineSizeMax)) {
      number++;
      if (line !== null) yield { path, line: number, spans: reader.read(line) };
      else if (isDocument) report.unreadable.push({ path, why: 'longer than 16 MiB' });
      else report.longLines++;
    }
    report.files++;
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code;
    // Errors of the system and of the decompressor have one; others are bugs.
    if (why === undefined) throw error;
    report.unreadable.push({ path, why });
  }
  report.damagedLines += reader.damaged;
  const overMs = overAt(file, reader);
  report.waitUntil(overMs);
  const isOver = options.nowMs > overMs;
  yield { path, line: null, spans: reader.end(isOver) };
  return isOver;
}

/** When it is taken to be over. */
export const overAt = ({ modifiedMs }: Pick<SessionFile, 'modifiedMs'>, { hasOpenWork }: Pick<LineReader, 'hasOpenWork'>): number =>
  modifiedMs + (hasOpenWork ? abandonedMs : quietMs);

/** For a file with nothing open. */
export const isQuiet = (file: Pick<SessionFile, 'modifiedMs'>, { nowMs }: Pick<HistoryOptions, 'nowMs'>): boolean =>
  nowMs > overAt(file, { hasOpenWork: false });
