import { z } from 'zod';
import type { ErrorGroup } from '../../shared/contract/tracing/error-groups.ts';
import { boundedReport, leftOut } from './bounded-report.ts';
import { count, many, time } from './figures.ts';
import { listLink } from './links.ts';
import { quoted, recordedNotice } from './recorded-text.ts';
import { defineReport, since, startOf } from './report.ts';

const input = z.object({ filter: z.string().max(4000).default(''), since });

export const findErrors = defineReport({
  name: 'find_errors',
  description:
    'Failures in groups: one line for each combination of type, message, and tool or model, with its count and when it was first and last seen.',
  input,
  find: async (context, { filter, since: text }) => {
    const from = startOf(text, context.now);
    const query = { ...(filter.trim() === '' ? {} : { filter }), ...(from === undefined ? {} : { from }) };
    const { data } = await context.client.errorGroups.list({ query });
    const all = data.groups.length + data.more;
    return {
      data,
      text: (lengthMax) =>
        boundedReport(
          {
            head: [
              `${many(data.errors, 'failed span')} in ${many(data.traces, 'trace')}, in ${many(all, 'group')}${data.is_whole ? '' : ' (of the newest traces only)'}.`,
              recordedNotice,
              '',
            ],
            items: data.groups.map(linesOf),
            foot: (shown) => [
              '',
              `${count(shown)} of ${many(all, 'group')} shown.${leftOut(shown, all)}`,
              `Traces of a group: find_traces with its filter. In the viewer: ${listLink(context.viewerUrl, 'errors > 0')}`,
            ],
          },
          lengthMax,
        ),
    };
  },
});

const linesOf = ({ type, message, name, kind, errors, traces, first_seen, last_seen, filter }: ErrorGroup): string =>
  [
    `${many(errors, 'error')} in ${many(traces, 'trace')} · ${kind} ${quoted(name, 80)} · ${type === '' ? 'no type' : quoted(type, 80)}: ${quoted(message, 200)}`,
    `  first ${time(first_seen)} · last ${time(last_seen)} · filter ${quoted(filter, 400)}`,
  ].join('\n');
