/**
 * Mistakes in messages to and from the threads do not compile. Each line marked below is one mistake. `npm run check` compiles this file, and
 * `@ts-expect-error` fails where there is no error. The mistakes at the read threads are in `telemetry/sqlite/read/read-calls.test.ts`.
 */
import { expect, it } from 'vitest';
import type { BodyProtocol } from '../app/body-thread.ts';
import type { RedactionProtocol } from '../forwarding/redaction-thread.ts';
import type { DecodeProtocol } from '../ingest/decode-thread.ts';
import type { SinkChannel } from '../ingest/sink.ts';
import { startThread, type Thread, threadPort } from '../platform/thread.ts';
import { ThreadQueue } from '../platform/thread-queue.ts';
import type { TemplateProtocol } from '../project/mdx/template-thread.ts';
import type { RowsProtocol } from '../project/rows-thread.ts';
import type { CheckProtocol } from '../telemetry/sqlite/file/check-thread.ts';
import type { RemoteCommands } from '../telemetry/sqlite/write/commands.ts';
import type { WriteProtocol } from '../telemetry/sqlite/write/write-messages.ts';

const entry = new URL('worker.ts', import.meta.url);
const scope = { tenant_id: 't', app_id: 'a' };

/** Compiled and never called. */
const mistakes = {
  write: {
    // @ts-expect-error: no such command
    name: (commands: RemoteCommands) => commands.forward.acknowledge(scope, 'cloud', 1, { count: 0, message: '' }),
    // @ts-expect-error: the id of a message is a number
    argument: (commands: RemoteCommands) => commands.forward.ack(scope, 'cloud', '1', { count: 0, message: '' }),
    // @ts-expect-error: the scope is missing
    tooFewArguments: (commands: RemoteCommands) => commands.forward.end('cloud'),
    // @ts-expect-error: a command returns nothing
    result: async (commands: RemoteCommands): Promise<number> => await commands.maintenance.compact(),
    // @ts-expect-error: a result without the id of its request
    reply: () => threadPort<WriteProtocol>().postMessage({ kind: 'written', outcome: { accepted: 1, duplicates: 0, conflicts: [] } }),
    // @ts-expect-error: no such message
    message: (thread: Thread<WriteProtocol>) => thread.postMessage({ kind: 'halt' }),
    // @ts-expect-error: a batch goes with its scope and its allowance
    batch: (channel: SinkChannel) => channel.port.postMessage({ id: 1 }),
  },
  decode: {
    // @ts-expect-error: no such message
    name: (thread: Thread<DecodeProtocol>) => thread.postMessage({ kind: 'parse', id: 1 }),
    argument: (thread: Thread<DecodeProtocol>, { port, inFlight }: SinkChannel) =>
      // @ts-expect-error: the writer is given by its port, not by its number
      thread.postMessage({ kind: 'channel', port: 1, inFlight }, [port]),
    // @ts-expect-error: `hasBatch` is true or false
    reply: () => threadPort<DecodeProtocol>().postMessage({ ...decoded, hasBatch: 1 }),
    result: (thread: Thread<DecodeProtocol>) =>
      // @ts-expect-error: a refused request has no reasons
      thread.on('message', (reply) => reply.kind === 'refused' && reply.reasons),
  },
  redaction: {
    // @ts-expect-error: no such work
    name: (queue: ThreadQueue<RedactionProtocol>) => queue.ask('cloud', 'redact', batchRequest, []),
    // @ts-expect-error: the spans of a preview where a batch belongs
    argument: (queue: ThreadQueue<RedactionProtocol>) => queue.ask('cloud', 'batch', previewRequest, []),
    // @ts-expect-error: a preview has no batch
    result: async (queue: ThreadQueue<RedactionProtocol>) => (await queue.ask('', 'preview', previewRequest, [])).batch,
  },
  others: {
    // @ts-expect-error: a body is read for a route
    body: (queue: ThreadQueue<BodyProtocol>) => queue.ask('', 'read', { body: { bytes: new Uint8Array(), gzip: false } }, []),
    // @ts-expect-error: rows have no trees
    rows: async (queue: ThreadQueue<RowsProtocol>) => (await queue.ask('', 'read', { bytes: new Uint8Array(), form: 'lines' }, [])).json,
    // @ts-expect-error: no such work
    template: (queue: ThreadQueue<TemplateProtocol>) => queue.ask('', 'parse', {}, []),
    // @ts-expect-error: the check can only be stopped
    check: (thread: Thread<CheckProtocol>) => thread.postMessage('start'),
    // @ts-expect-error: the thread of another role
    role: () => new ThreadQueue<RowsProtocol>(entry, { role: 'body' }),
    // @ts-expect-error: a thread without its messages
    noMessages: () => startThread(entry, { role: 'check', file: '' }),
  },
};

declare const decoded: Extract<DecodeProtocol['reply'], { kind: 'decoded' }>;
declare const batchRequest: Parameters<RedactionProtocol['work']['batch']>[0];
declare const previewRequest: Parameters<RedactionProtocol['work']['preview']>[0];

it('mistakes in messages to and from the threads do not compile', () => {
  expect(Object.values(mistakes).flatMap((group) => Object.keys(group))).toHaveLength(20);
});
