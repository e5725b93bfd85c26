/** Starts the threads of the gateway, and types what they are sent. All have one entry file, so that a bundle needs only one more entry. */
import { setFlagsFromString } from 'node:v8';
import { MessageChannel, type MessagePort, parentPort, type Transferable, Worker } from 'node:worker_threads';
import { must } from './assert.ts';

/**
 * Heap limits in megabytes. V8 grows a heap in proportion to its limit, so threads with little work get a small one.
 * A reader may build a trace of 100,000 spans, the writer the tree of a trace with a million. With a limit of 2 GB or more V8 collects only
 * at four times the live heap, with a lower one at less than twice. The history thread holds much for a long time and needs little for new objects.
 * A young generation is three times its semi-space (docs/adr/021-ingest-with-little-garbage-collection.md).
 */
const heapLimits = {
  rows: { maxYoungGenerationSizeMb: 24, maxOldGenerationSizeMb: 256 },
  body: { maxYoungGenerationSizeMb: 24, maxOldGenerationSizeMb: 512 },
  template: { maxYoungGenerationSizeMb: 24, maxOldGenerationSizeMb: 256 },
  decode: { maxYoungGenerationSizeMb: 12, maxOldGenerationSizeMb: 512 },
  write: { maxYoungGenerationSizeMb: 12, maxOldGenerationSizeMb: 1024 },
  read: { maxYoungGenerationSizeMb: 24, maxOldGenerationSizeMb: 1024 },
  redact: { maxYoungGenerationSizeMb: 24, maxOldGenerationSizeMb: 1024 },
  encode: { maxYoungGenerationSizeMb: 12, maxOldGenerationSizeMb: 512 },
  'clickhouse-write': { maxYoungGenerationSizeMb: 24, maxOldGenerationSizeMb: 1024 },
  'clickhouse-read': { maxYoungGenerationSizeMb: 24, maxOldGenerationSizeMb: 1024 },
  history: { maxYoungGenerationSizeMb: 6, maxOldGenerationSizeMb: 512 },
  check: { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 128 },
} as const;

/** Start message of a thread. */
export interface ThreadTask {
  role: keyof typeof heapLimits;
}

/** Messages of one kind of thread. Each has one definition, from which both sides take their types. */
export interface ThreadProtocol {
  task: ThreadTask;
  /** Sent to the thread. */
  request: unknown;
  /** Sent by the thread. */
  reply: unknown;
}

/** Protocol of a thread that calls the functions of `Work`, one for each request. */
export interface WorkProtocol<Task extends ThreadTask, Work extends ThreadWork> {
  task: Task;
  work: Work;
  request: { [M in keyof Work]: { method: M; request: Parameters<Work[M]>[0] } }[keyof Work];
  reply: ReturnType<Work[keyof Work]>;
}

/** Functions of one argument, by name. */
export type ThreadWork = Record<string, (request: never) => unknown>;

/** End of a channel that sends `Sent` and receives `Received`. */
export interface Port<Sent, Received> extends MessagePort {
  postMessage: (message: Sent, transfer?: readonly Transferable[]) => void;
  on(event: 'message', listener: (message: Received) => void): this;
  on(event: 'close', listener: (event: Event) => void): this;
  on(event: 'messageerror', listener: (error: Error) => void): this;
}

/** A thread, as its starter sees it. */
export interface Thread<P extends ThreadProtocol> extends Worker {
  postMessage: (request: P['request'], transfer?: readonly Transferable[]) => void;
  on(event: 'message', listener: (reply: P['reply']) => void): this;
  on(event: 'error' | 'messageerror', listener: (error: Error) => void): this;
  on(event: 'exit', listener: (code: number) => void): this;
  on(event: 'online', listener: () => void): this;
  once(event: 'message', listener: (reply: P['reply']) => void): this;
  once(event: 'error' | 'messageerror', listener: (error: Error) => void): this;
  once(event: 'exit', listener: (code: number) => void): this;
  once(event: 'online', listener: () => void): this;
}

/**
 * @typeParam P must be given
 * @param entry `server/entry/thread.ts` or its bundle, which selects the code by the role
 */
export function startThread<P extends ThreadProtocol = never>(entry: URL, task: P['task']): Thread<P> {
  // The option of the process is for its main thread, whose heap has it by now. In threads it would replace the limits above.
  setFlagsFromString('--max-semi-space-size=0');
  return new Worker(entry, {
    workerData: task,
    name: `glasshouse-${task.role}`,
    resourceLimits: heapLimits[task.role],
    // Of the flags of the process, threads inherit only what loads their code.
    execArgv: process.execArgv.filter((flag) => /^--require=.*from-(sources|bundle)\.cjs$/.test(flag)),
  }) as Thread<P>;
}

/** Asks a thread to end, and waits until it has ended or died. */
export function stopThread<P extends ThreadProtocol>(thread: Thread<P>, request: P['request']): Promise<void> {
  return new Promise((resolve) => {
    // An ended thread has the id -1 and emits no further `exit`.
    if (thread.threadId === -1) return resolve();
    thread.once('exit', () => resolve());
    thread.postMessage(request);
  });
}

/** The port to the starter, in a thread. @typeParam P must be given */
export const threadPort = <P extends ThreadProtocol = never>() =>
  must(parentPort, 'this code runs in a worker thread') as Port<P['reply'], P['request']>;

/** Both ends of a new channel that carries messages in one direction. */
export function openChannel<Message>(): { sender: Port<Message, never>; receiver: Port<never, Message> } {
  const { port1, port2 } = new MessageChannel();
  return { sender: port1 as Port<Message, never>, receiver: port2 as Port<never, Message> };
}
