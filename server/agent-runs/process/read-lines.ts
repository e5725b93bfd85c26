import type { Readable } from 'node:stream';
import { LineSplitter } from './line-splitter.ts';
import type { LoopShare } from './loop-share.ts';

/** Lines between two readings of the clock. */
const linesAtOnce = 32;

export interface LineReader {
  /** Whether all lines are wanted; otherwise only lines that begin with a brace, and occasionally the latest. */
  wantsAll(): boolean;
  /** @param line valid during the call */
  onLine(line: Buffer): void;
}

/**
 * Reads a pipe to its end, no faster than its lines are processed, so that the writer waits.
 * @param share share of the loop for all readers
 */
export async function readLines(pipe: Readable, share: LoopShare, reader: LineReader): Promise<void> {
  const splitter = new LineSplitter();
  const process = (lines: Generator<Buffer>) =>
    share.run(() => {
      for (let count = 0; count < linesAtOnce; count++) {
        const { done, value } = lines.next();
        if (done) return false;
        reader.onLine(value);
      }
      return true;
    });
  try {
    for await (const chunk of pipe) await process(reader.wantsAll() ? splitter.lines(chunk) : splitter.notableLines(chunk));
  } catch {
    // Closed by us: the rest is not needed.
    return;
  }
  await process(splitter.rest());
}
