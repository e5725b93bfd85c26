import type { Transferable } from 'node:worker_threads';
import { must } from './assert.ts';
import { collectWhenIdle } from './idle-collect.ts';
import { type ThreadTask, type ThreadWork, threadPort, type WorkProtocol } from './thread.ts';

/**
 * Thread side of a `ThreadQueue`: calls one function of `work` for each message, and answers with its result.
 * @param transfers buffers of the results to transfer instead of copying
 */
export function answerMessages<Work extends ThreadWork>(
  work: Work,
  transfers: { [M in keyof Work]?: (reply: ReturnType<Work[M]>) => readonly Transferable[] } = {},
): void {
  const main = threadPort<WorkProtocol<ThreadTask, Work>>();
  const noteWork = collectWhenIdle();
  main.on('message', ({ method, request }) => {
    const call: (request: never) => unknown = must(work[method], `${String(method)} is work of this thread`);
    // `WorkProtocol` ties the request and the reply to the method.
    const reply = call(request as never) as ReturnType<Work[keyof Work]>;
    main.postMessage(reply, transfers[method]?.(reply));
    noteWork();
  });
}
