import { parentPort, type Transferable } from 'node:worker_threads';
import { must } from './assert.ts';
import { collectWhenIdle } from './idle-collect.ts';

/**
 * Thread side of a `ThreadQueue<typeof work>`: answers each message.
 * @param given buffers of an answer to transfer instead of copying
 */
export function answerMessages<Request, Reply>(
  work: (request: Request) => Reply,
  given: (reply: Reply) => readonly Transferable[] = () => [],
): void {
  const main = must(parentPort, 'messages are answered in a worker thread');
  const worked = collectWhenIdle();
  main.on('message', (request: Request) => {
    const reply = work(request);
    main.postMessage(reply, given(reply));
    worked();
  });
}
