/** Asks a thread that reads session files. */
import { setTimeout as wait } from 'node:timers/promises';
import { startThread, stopThread, type Thread } from '../../platform/thread.ts';
import { ThreadDied } from '../../platform/thread-queue.ts';
import type { ReadReply, ReadRequest } from './history-reader.ts';
import type { HistoryProtocol, HistoryTask } from './history-thread.ts';

/** For a thread to remember what was read. */
const endMs = 1_000;

/** One thread, from the first request until it is stopped or dies. It is not replaced: another one knows nothing of what this one has read. */
export class HistoryThread {
  readonly #start: () => Promise<Thread<HistoryProtocol>>;
  #thread: Promise<Thread<HistoryProtocol>> | null = null;
  /** The session that it reads, or died at, as `sessionKey`; null for none. */
  reading: string | null = null;
  #hasEnded = false;
  #last: Promise<unknown> = Promise.resolve();

  /** @param task is asked for with the first request */
  constructor(entry: URL, task: () => Promise<HistoryTask>) {
    this.#start = async () => {
      const thread = startThread<HistoryProtocol>(entry, await task());
      thread.on('exit', () => {
        this.#hasEnded = true;
      });
      thread.on('message', (message) => {
        if ('reading' in message) this.reading = message.reading;
      });
      // Without a listener the process would end; the one who asked has the error.
      thread.on('error', () => {});
      thread.unref();
      return thread;
    };
  }

  /** In the order of the calls. @throws ThreadDied when it has died or was stopped */
  ask(request: ReadRequest): Promise<ReadReply> {
    const answer = this.#last.then(() => this.#ask(request));
    this.#last = answer.catch(() => {
      // The caller handles the error.
    });
    return answer;
  }

  async stop(): Promise<void> {
    this.#hasEnded = true;
    const thread = await this.#thread?.catch(() => null);
    if (!thread) return;
    const late = new AbortController();
    const end = stopThread(thread, 'end').finally(() => late.abort());
    await Promise.race([end, wait(endMs, undefined, { signal: late.signal }).catch(() => {})]);
    await thread.terminate();
  }

  async #ask(request: ReadRequest): Promise<ReadReply> {
    if (this.#hasEnded) throw new ThreadDied('The thread ended');
    this.#thread ??= this.#start();
    const thread = await this.#thread;
    if (this.#hasEnded) throw new ThreadDied('The thread ended');
    return new Promise((resolve, reject) => {
      const died = (error?: unknown) => reject(new ThreadDied(error instanceof Error ? error.message : 'The thread ended'));
      thread.once('error', died);
      thread.once('exit', died);
      const answered = (message: HistoryProtocol['reply']) => {
        if ('reading' in message) return;
        thread.off('error', died);
        thread.off('exit', died);
        thread.off('message', answered);
        resolve(message);
      };
      thread.on('message', answered);
      thread.postMessage(request);
    });
  }
}
