import { z } from 'zod';
import type { ListedTrace } from '../../shared/contract/tracing/trace-list.ts';
import type { TraceMatch } from '../../shared/contract/tracing/trace-matches.ts';
import { boundedReport } from './bounded-report.ts';
import { count, many } from './figures.ts';
import { listLink } from './links.ts';
import { quoted, recordedNotice } from './recorded-text.ts';
import { defineReport, type ReportContext, since, startOf } from './report.ts';
import { traceLines } from './trace-lines.ts';

const input = z.object({
  filter: z.string().max(4000).default('').describe('Words and conditions, such as: timeout tool:web_search errors > 0. See filter_help'),
  since,
  sort: z.enum(['newest', 'cost', 'duration', 'tokens']).default('newest'),
  limit: z.number().int().min(1).max(100).default(20),
  offset: z.number().int().min(0).max(1_000_000).default(0),
});

const sortKeys = { newest: 'start_time', cost: 'cost', duration: 'latency', tokens: 'tokens' } as const;

export const findTraces = defineReport({
  name: 'find_traces',
  description: 'Search and list traces (runs): status, cost, duration, and where the words were found.',
  input,
  find: async (context, { filter, since: text, sort, limit, offset }) => {
    const from = startOf(text, context.now);
    const narrowing = { ...(filter.trim() === '' ? {} : { filter }), ...(from === undefined ? {} : { from }) };
    const { data } = await context.client.traceList.rows({ query: { ...narrowing, limit, offset, sort_by: sortKeys[sort] } });
    const matches = await matchesOf(context, data.rows, filter);
    const total = `${data.total_is_lower_bound ? 'at least ' : ''}${many(data.total, 'trace')}`;
    return {
      data: { ...data, matches: [...matches.values()] },
      text: (lengthMax) =>
        boundedReport(
          {
            head: [
              `${total}${filter === '' ? '' : ` matching ${quoted(filter, 300)}`}${text === undefined ? '' : ` since ${quoted(text, 40)}`}.`,
              recordedNotice,
              '',
            ],
            items: data.rows.map((trace) => traceLines(trace, matches.get(trace.id))),
            foot: (shown) => foot(context, { shown, offset, total: data.total, filter }),
          },
          lengthMax,
        ),
    };
  },
});

/** Where the words of the filter are, by trace; nothing for a filter without words. */
async function matchesOf({ client }: ReportContext, rows: readonly ListedTrace[], filter: string): Promise<Map<string, TraceMatch>> {
  if (filter.trim() === '' || rows.length === 0) return new Map();
  const { data } = await client.traceList.matches({ query: { trace_ids: rows.map(({ id }) => id).join(','), filter } });
  return new Map(data.map((match) => [match.trace_id, match]));
}

function foot(
  context: ReportContext,
  { shown, offset, total, filter }: { shown: number; offset: number; total: number; filter: string },
): string[] {
  const next = offset + shown;
  const rest = total - next;
  return [
    '',
    `${shown} of ${count(total)} shown${offset > 0 ? `, starting at trace ${count(offset + 1)}` : ''}.${rest > 0 ? ` ${count(rest)} more: offset ${next}.` : ''}`,
    `Details of one: show_trace. In the viewer: ${listLink(context.viewerUrl, filter)}`,
  ];
}
