/** A thread that reads copies of traces: it fetches what is stored of them, and runs the reads of the SQLite store over it. */

import { must } from '../../../platform/assert.ts';
import { collectWhenIdle } from '../../../platform/idle-collect.ts';
import type { Scope } from '../../../platform/scope.ts';
import { threadPort } from '../../../platform/thread.ts';
import { type CopiedTraces, type CopyTask, failureOf, type ReadProtocol, replyOf } from '../../sqlite/read/read-thread.ts';
import { connectClickHouse } from '../connect.ts';
import { LoadedTraces } from '../loaded/loaded-traces.ts';
import { storageFailure } from '../storage-failure.ts';
import { StoredTraceReader } from '../stored-traces.ts';

type CopyRequest = Exclude<ReadProtocol['request'], 'stop'>;

/** The copy of the last read: a trace that is opened is read several times. */
interface LastCopy {
  key: string;
  /** Null for a copy with scores, which may change without a version. */
  version: string | null;
  traces: LoadedTraces;
}

export function runCopyThread({ clickhouse, cursorKey, budgetMs, shared }: CopyTask): void {
  const main = threadPort<ReadProtocol>();
  const client = connectClickHouse(clickhouse);
  const stored = new StoredTraceReader(client);
  const worked = collectWhenIdle();
  const newCopy = () => new LoadedTraces(shared.prices, { cursorKey: Buffer.from(cursorKey), budgetMs, shared });
  // Preparing the statements takes as long as loading a small trace.
  let spare: LoadedTraces | null = newCopy();
  let last: LastCopy | null = null;
  const forgetLast = () => {
    last?.traces.close();
    last = null;
  };
  const load = async (scope: Scope, { trace_ids, scores }: CopiedTraces): Promise<LoadedTraces> => {
    const key = JSON.stringify([scope.tenant_id, scope.app_id, trace_ids]);
    // Before the rest is read: what changes meanwhile belongs to a later version.
    const version = await stored.versions(scope, trace_ids);
    if (last?.key === key && last.version === version && !scores) return last.traces;
    forgetLast();
    const traces = spare ?? newCopy();
    spare = null;
    last = { key, version: scores ? null : version, traces };
    try {
      traces.load(scope, await stored.read(scope, trace_ids, { scores }));
    } catch (error) {
      forgetLast();
      throw error;
    }
    return traces;
  };
  const read = async ({ method, args, limits, copied }: CopyRequest) => {
    const traces = await load(args[0], must(copied, 'a read of a copy names its traces'));
    return replyOf(traces.read(method, args, limits));
  };
  main.on('message', async (request) => {
    if (request === 'stop') {
      spare?.close();
      forgetLast();
      await client.close();
      main.close();
      return;
    }
    try {
      const reply = await read(request);
      main.postMessage(
        reply,
        [reply.json, reply.bytes].flatMap((part) => (part ? [part.buffer] : [])),
      );
    } catch (error) {
      main.postMessage({ kind: 'failed', ...failureOf(storageFailure(error) ?? error, false) });
    }
    spare ??= newCopy();
    worked();
  });
  main.postMessage({ kind: 'ready' });
}
