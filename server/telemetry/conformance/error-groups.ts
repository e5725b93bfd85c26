import { expect } from 'vitest';
import { type ErrorGroups, errorGroups } from '../../../shared/contract/tracing/error-groups.ts';
import { aSpan, aSpanId, aTraceId, testEpochMs } from '../../../shared/fixtures/otlp.ts';
import type { DeclareGuarantee } from './guarantee.ts';
import type { Tenant } from './tenant.ts';

const minute = 60_000;

async function groupsIn({ store, scope }: Tenant, query: Record<string, unknown> = {}): Promise<ErrorGroups> {
  const { list } = errorGroups;
  return list.reply.shape.data.parse((await store.errorGroups.list(scope, list.query.parse(query))).decode());
}

interface Failure {
  at: number;
  message: string;
  tool?: string;
  type?: string;
}

/** A failed run: the tool failed, and with it the agent. */
function aFailedRun({ at, message, tool = 'web_search', type }: Failure): object[] {
  const traceId = aTraceId();
  const root = aSpanId();
  const startMs = testEpochMs + at * minute;
  const attributes = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': tool, ...(type ? { 'error.type': type } : {}) };
  const failed = { traceId, startMs, status: 'ERROR' as const };
  return [
    aSpan({ ...failed, spanId: root, name: 'run', durationMs: 500, statusMessage: 'the agent failed' }),
    aSpan({ ...failed, parentSpanId: root, name: `execute_tool ${tool}`, statusMessage: message, attributes }),
  ];
}

const summary = ({ groups }: ErrorGroups) =>
  groups.map(({ type, message, name, kind, errors, traces }) => ({ type, message, name, kind, errors, traces }));

export function errorGroupGuarantees(guarantee: DeclareGuarantee): void {
  guarantee(
    'failures that differ in numbers, ids and addresses are one group; those above a failed span are left out',
    async ({ tenant }) => {
      const app = tenant();
      const limited = (at: number) => aFailedRun({ at, message: `429 from the provider, retry after ${at} s`, type: 'RateLimitError' });
      await app.write([
        ...[1, 2, 9].flatMap(limited),
        ...aFailedRun({ at: 3, message: 'ValueError: no such currency', tool: 'convert' }),
        aSpan({ traceId: aTraceId(), name: 'fine' }),
      ]);
      const found = await groupsIn(app);
      expect(summary(found)).toEqual([
        {
          type: 'RateLimitError',
          message: '‹n› from the provider, retry after ‹n› s',
          name: 'web_search',
          kind: 'tool',
          errors: 3,
          traces: 3,
        },
        { type: 'ValueError', message: 'no such currency', name: 'convert', kind: 'tool', errors: 1, traces: 1 },
      ]);
      expect(found).toMatchObject({ errors: 4, traces: 4, more: 0, is_whole: true });
      expect(found.groups[0]).toMatchObject({
        first_seen: new Date(testEpochMs + minute).toISOString(),
        last_seen: new Date(testEpochMs + 9 * minute).toISOString(),
        quiet_ms: 7 * minute,
        back_since: new Date(testEpochMs + 9 * minute).toISOString(),
      });
    },
  );

  guarantee('the filter of a group selects its traces', async ({ tenant }) => {
    const app = tenant();
    const messages = ['429 from the provider, retry after 7 s', 'a "quoted" \\ message: 12', '17', ''];
    await app.write(messages.flatMap((message, at) => aFailedRun({ at, message, tool: `tool ${at}` })));
    const { groups } = await groupsIn(app);
    expect(groups).toHaveLength(messages.length);
    for (const { filter, traces } of groups) expect((await app.traces({ filter })).total, filter).toBe(traces);
  });

  guarantee('the filter of a group selects its traces also where no tool or model was recorded', async ({ tenant }) => {
    const app = tenant();
    const failed = { status: 'ERROR', statusMessage: 'timeout' } as const;
    const tool = { 'gen_ai.operation.name': 'execute_tool' };
    await app.write([
      aSpan({ ...failed, name: 'execute_tool search', attributes: tool }),
      aSpan({ ...failed, name: 'execute_tool search', attributes: { ...tool, 'gen_ai.tool.name': 'search' } }),
      aSpan({ ...failed, name: 'execute_tool', attributes: tool }),
      aSpan({ ...failed, name: 'chat', attributes: { 'gen_ai.operation.name': 'chat' } }),
      aSpan({ ...failed, name: '' }),
    ]);
    const { groups } = await groupsIn(app);
    expect(groups.map(({ kind, name, traces }) => [kind, name, traces]).sort()).toEqual([
      ['function', '', 1],
      ['llm', 'chat', 1],
      ['tool', 'execute_tool', 1],
      ['tool', 'search', 2],
    ]);
    for (const { filter, traces } of groups) expect((await app.traces({ filter })).total, filter).toBe(traces);
  });

  guarantee('groups are those of the traces that the list shows, and their trend covers its range', async ({ tenant }) => {
    const app = tenant();
    await app.write([1, 2, 20].flatMap((at) => aFailedRun({ at, message: 'timeout', tool: at === 2 ? 'fetch' : 'search' })));
    const range = { from: String(testEpochMs), to: String(testEpochMs + 14 * minute) };
    const found = await groupsIn(app, range);
    expect(found.errors).toBe(2);
    expect(found.groups.map(({ name, trend }) => [name, trend.indexOf(1)])).toEqual([
      ['fetch', 2],
      ['search', 1],
    ]);
    expect((await groupsIn(app, { filter: 'tool = search' })).groups.map(({ name, errors }) => [name, errors])).toEqual([['search', 2]]);
    expect((await groupsIn(tenant())).groups).toEqual([]);
  });
}
