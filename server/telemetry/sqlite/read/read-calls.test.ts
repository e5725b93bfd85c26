/**
 * Wrong calls to threads must not compile. Each entry below is one: `npm run check` compiles this file, and `@ts-expect-error` fails where there
 * is no error.
 */
import { expect, it } from 'vitest';
import type { WriteOutcome } from '../../../ingest/sink.ts';
import type { Scope } from '../../../platform/scope.ts';
import type { FileMaintenance } from '../../file-maintenance.ts';
import type { ScoreStore } from '../../score-store.ts';
import type { SessionReader } from '../../trace-reader.ts';
import type { CommandCall } from '../write/commands.ts';
import type { ReadCall, RemoteReads } from './read-calls.ts';
import type { Reader } from './reader.ts';
import { type ReadDone, remoteReads } from './remote-reads.ts';

const scope: Scope = { tenant_id: 't', app_id: 'a' };

/** Compiled and never called. */
const mistakes = {
  theWrongRead: (reads: RemoteReads): Pick<ScoreStore, 'list' | 'find'> => ({
    // @ts-expect-error: sessions where scores belong
    list: reads.sessions.list,
    find: reads.scores.find,
  }),
  theWrongGroup: (reads: RemoteReads): SessionReader => {
    // @ts-expect-error: experiments have no `traces`
    return reads.experiments;
  },
  // @ts-expect-error: there is no such read
  noSuchRead: (reads: RemoteReads) => reads.scores.lits(scope),
  // @ts-expect-error: a trace is known by its id, not by a number
  theWrongArgument: (reads: RemoteReads) => reads.traces.graph(scope, 7),
  // @ts-expect-error: an argument is missing
  tooFewArguments: (reads: RemoteReads) => reads.spans.io(scope, 'trace'),
  // @ts-expect-error: a page is not a plain value
  theWrongAnswer: async (reads: RemoteReads) => (await reads.scores.list(scope, {} as never)).decode(),
  // @ts-expect-error: the result is null when nothing is found
  nullForgotten: async (reads: RemoteReads) => (await reads.scores.find(scope, 'id')).decode(),
  // @ts-expect-error: the arguments of one read under the name of another
  theWrongCall: { method: 'scores.find', args: [scope, { limit: 1 }] } satisfies ReadCall,
  // @ts-expect-error: the same without threads
  theWrongCallHere: (read: Reader) => read('traces.find', [scope, 'trace', ['spans']]),
  // @ts-expect-error: a maintenance task returns nothing
  theAnswerOfAnother: async (maintenance: FileMaintenance): Promise<WriteOutcome> => await maintenance.compact(),
  // @ts-expect-error: what is erased is a scope
  theWrongTask: { method: 'maintenance.erase', args: [{ keep_days: 1, max_bytes: null }] } satisfies CommandCall,
};

it('mistakes in calls of reads do not compile', () => {
  expect(Object.keys(mistakes)).toHaveLength(11);
});

it('a read is called by its group and name, and each result has its type', async () => {
  const calls: ReadCall[] = [];
  const json = new TextEncoder().encode('[1]');
  const answers: Record<string, ReadDone> = {
    'scores.list': { kind: 'read', json, total: 7 },
    'scores.names': { kind: 'read', json, total: null },
    'scores.find': { kind: 'read', json: null, total: null },
    'archives.pack': { kind: 'read', json: new TextEncoder().encode('{"problem":null}'), total: null, bytes: json },
  };
  const reads = remoteReads(async (call) => {
    calls.push(call);
    return answers[call.method] as ReadDone;
  });
  const { data, total } = await reads.scores.list(scope, { limit: 1 } as never);
  expect([data.decode(), total]).toEqual([[1], 7]);
  expect((await reads.scores.names(scope)).decode()).toEqual([1]);
  expect(await reads.scores.find(scope, 'id')).toBeNull();
  expect(await reads.archives.pack(scope, ['trace'], 1)).toEqual({ problem: null, bytes: json });
  expect(calls).toEqual([
    { method: 'scores.list', args: [scope, { limit: 1 }] },
    { method: 'scores.names', args: [scope] },
    { method: 'scores.find', args: [scope, 'id'] },
    { method: 'archives.pack', args: [scope, ['trace'], 1] },
  ]);
});
