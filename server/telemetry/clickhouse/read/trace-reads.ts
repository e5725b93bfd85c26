/** Reads of single traces: those of the SQLite store, over a copy of the trace. */
import type { Scope } from '../../../platform/scope.ts';
import type { SpanReader } from '../../span-reader.ts';
import type { ContextReader, TraceReader } from '../../trace-reader.ts';
import type { ReadContext } from './read-context.ts';

export const singleTraceReads = (context: ReadContext): Omit<TraceReader, 'list'> => ({
  find: (scope, traceId, fields) => context.over(scope, [traceId], { scores: fields.scores }).traces.find(scope, traceId, fields),
  outline: (scope, traceId) => context.over(scope, [traceId], { scores: true }).traces.outline(scope, traceId),
  graph: (scope, traceId) => context.over(scope, [traceId]).traces.graph(scope, traceId),
});

export const spansOfTrace = (context: ReadContext): Omit<SpanReader, 'list' | 'tracesOf'> => {
  const over = (scope: Scope, traceId: string) => context.over(scope, [traceId]).spans;
  return {
    ofTrace: (scope, traceId) => over(scope, traceId).ofTrace(scope, traceId),
    io: (scope, traceId, spanId) => over(scope, traceId).io(scope, traceId, spanId),
    raw: (scope, traceId, spanId) => over(scope, traceId).raw(scope, traceId, spanId),
    previews: (scope, traceId, spanIds) => over(scope, traceId).previews(scope, traceId, spanIds),
    find: (scope, traceId, words, after) => over(scope, traceId).find(scope, traceId, words, after),
    media: (scope, traceId, spanId, sha256) => over(scope, traceId).media(scope, traceId, spanId, sha256),
  };
};

export const contextReads = (context: ReadContext): ContextReader => ({
  find: (scope, traceId) => context.over(scope, [traceId]).contexts.find(scope, traceId),
});
