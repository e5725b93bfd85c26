import type { Readable } from 'node:stream';
import { LineSplitter } from './line-splitter.ts';
import type { LoopShare } from './loop-share.ts';

/** Lines between two looks at the clock. */
const linesAtOnce = 32;

export interface LineReader {
  /** Whether all lines are wanted; otherwise only those that begin with a brace, and now and then the latest. */
  wantsAll(): boolean;
  /** @param line valid during the call */
  onLine(line: Buffer): void;
}

/**
 * Reads a pipe to its end. It is read no faster than its lines are dealt with: whoever writes into it waits.
 * @param share of the loop, for all who read
 */
export async function readLines(pipe: Readable, share: LoopShare, reader: LineReader): Promise<void> {
  const splitter = new LineSplitter();
  const deal = (lines: Generator<Buffer>) =>
    share.run(() => {
      for (let count = 0; count < linesAtOnce; count++) {
        const { done, value } = lines.next();
        if (done) return false;
        reader.onLine(value);
      }
      return true;
    });
  try {
    for await (const chunk of pipe) await deal(reader.wantsAll() ? splitter.lines(chunk) : splitter.notableLines(chunk));
  } catch {
    // It was closed on our side: nobody wants the rest.
    return;
  }
  await deal(splitter.rest());
}
