import { z } from 'zod';
import type { ActivityGroup, activity } from '../../shared/contract/viewer/activity.ts';
import { type ActivityBreakdown, activityBreakdowns } from '../../shared/contract/viewer/activity-shape.ts';
import { boundedReport, leftOut } from './bounded-report.ts';
import { count, duration, many, money, percent } from './figures.ts';
import { quoted, recordedNotice } from './recorded-text.ts';
import { defineReport, startOf } from './report.ts';

const input = z.object({
  by: z.enum(activityBreakdowns).default('model'),
  filter: z.string().max(4000).default(''),
  since: z.string().max(40).default('24h').describe('15m, 24h, 7d, or an ISO time'),
});

type Activity = z.output<typeof activity>;

export const costSummary = defineReport({
  name: 'cost_summary',
  description: 'Cost, tokens, cache use, latency and errors of a time range, by model, prompt, user, tool, service or tag.',
  input,
  find: async (context, { by, filter, since }) => {
    const from = startOf(since, context.now) ?? 0;
    const narrowing = filter.trim() === '' ? {} : { filter };
    const { data } = await context.client.viewerStatistics.activity({ query: { from, to: context.now + 1, steps: 1, by, ...narrowing } });
    return {
      data,
      text: (lengthMax) =>
        boundedReport(
          {
            head: [
              `Since ${new Date(from).toISOString()}${filter === '' ? '' : `, of traces that match ${quoted(filter, 300)}`}: ${totals(data)}`,
              recordedNotice,
              '',
            ],
            items: data.groups.map((group) => groupLine(group, data.totals.cost, by)),
            foot: (shown) => [
              '',
              `${count(shown)} of ${many(data.groups.length + data.more, by)} shown, the most expensive first.${leftOut(shown, data.groups.length + data.more)}${data.is_whole ? '' : ' Only the newest traces were counted: use a shorter range.'}`,
            ],
          },
          lengthMax,
        ),
    };
  },
});

function totals({ totals: sum }: Activity): string {
  const latency = sum.p50_ms === null || sum.p95_ms === null ? [] : [`p50 ${duration(sum.p50_ms)}, p95 ${duration(sum.p95_ms)}`];
  const figures = [
    many(sum.traces, 'trace'),
    `${count(sum.errors)} failed, ${count(sum.errors_inside)} with errors inside`,
    money(sum.cost),
    `${count(sum.input_tokens)}→${count(sum.output_tokens)} tokens, ${percent(sum.cache_read_tokens, sum.input_tokens)} of the input read from a cache`,
    ...latency,
  ];
  return `${figures.join(' · ')}.`;
}

/** What the count of a group is of. */
const counted: Record<ActivityBreakdown, string> = {
  ...{ model: 'model call', prompt: 'model call', tool: 'tool call' },
  ...{ user: 'trace', service: 'trace', tag: 'trace' },
};

function groupLine(group: ActivityGroup, cost: number, by: ActivityBreakdown): string {
  const figures = [
    `${money(group.cost)}, ${percent(group.cost, cost)}`,
    many(group.count, counted[by]),
    `${count(group.errors)} failed${group.errors_inside > 0 ? `, ${count(group.errors_inside)} with errors inside` : ''}`,
    `p50 ${duration(group.p50_ms)}, p95 ${duration(group.p95_ms)}`,
    ...(group.first_token_p50_ms === null ? [] : [`first token p50 ${duration(group.first_token_p50_ms)}`]),
    ...(group.input_tokens + group.output_tokens > 0 ? [`${count(group.input_tokens)}→${count(group.output_tokens)} tokens`] : []),
  ];
  return `${group.name === '' ? 'none' : quoted(group.name, 100)}: ${figures.join(' · ')}`;
}
