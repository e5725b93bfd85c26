import { parentPort, type Transferable } from 'node:worker_threads';
import { must } from './assert.ts';
import { collectWhenIdle } from './idle-collect.ts';

/**
 * The thread's end of a `ThreadQueue<typeof work>`: does each message and answers it with one.
 * @param given what of an answer is handed over rather than copied
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
