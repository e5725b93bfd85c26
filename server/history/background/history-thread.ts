/** The thread that reads session files. */
import { collectEvery, collectWhenIdle } from '../../platform/idle-collect.ts';
import { threadPort } from '../../platform/thread.ts';
import type { HistoryAgent } from '../sources.ts';
import { HistoryReader, type ReadReply, type ReadRequest } from './history-reader.ts';

/** Between collections while sessions are read. */
const collectMs = 5_000;

/** Start message of the thread. */
export interface HistoryTask {
  role: 'history';
  folders: Record<HistoryAgent, string>;
  /** Where it remembers what was read. */
  file: string;
  /** Id of the store. */
  installation: string;
}

/** One request at a time. At `end` the thread remembers what was read, and ends. */
export interface HistoryProtocol {
  task: HistoryTask;
  request: ReadRequest | 'end';
  /** Before it answers, it says which session it reads: when it dies, that is the reason. */
  reply: ReadReply | { reading: string | null };
}

export function runHistoryThread({ folders, file, installation }: HistoryTask): void {
  const main = threadPort<HistoryProtocol>();
  const collectors = [collectEvery(collectMs), collectWhenIdle()];
  const reader = new HistoryReader(folders, file, installation, (reading) => main.postMessage({ reading }));
  main.on('message', async (request) => {
    if (request === 'end') {
      reader.save();
      return process.exit();
    }
    const reply = await reader.next(request);
    // Without anything to read it answers every second, which leaves no garbage worth a collection.
    if (reply.batch) for (const noteWork of collectors) noteWork();
    main.postMessage(reply, reply.batch ? [reply.batch.body.buffer] : []);
  });
}
