import { z } from 'zod';
import { runKey } from '../platform/run-key.ts';
import { count, many, time } from './figures.ts';
import { listLink } from './links.ts';
import { plain, quoted } from './recorded-text.ts';
import { defineReport, type Found, type ReportContext } from './report.ts';
import { traceReport } from './show-trace.ts';
import { statusOf } from './trace-lines.ts';

const input = z.object({
  run_id: z.string().max(200).default('').describe('GLASSHOUSE_RUN_ID of a program that `glasshouse run` started'),
  service: z.string().max(200).default(''),
  after: z.string().max(200).default('').describe('"after" of an earlier answer: only what arrived later'),
});

/** How many other traces are named. */
const othersMax = 9;

export const lastRun = defineReport({
  name: 'last_run',
  description: 'What the program that ran last did: its newest trace as a tree. Use it right after starting a program.',
  input,
  find: async (context, { run_id, service, after }) => {
    const conditions = [
      ...(run_id === '' ? [] : [`metadata.${runKey} = ${JSON.stringify(run_id)}`]),
      ...(service === '' ? [] : [`service = ${JSON.stringify(service)}`]),
    ];
    const filter = conditions.join(' and ');
    const query = { limit: othersMax + 1, ...(filter === '' ? {} : { filter }), ...(after === '' ? {} : { arrived_after: after }) };
    const { data } = await context.client.traceList.rows({ query });
    const [newest, ...others] = data.rows;
    if (!newest) return nothing(context, filter, { after, arrived: data.arrived });
    const before = [
      `after ${data.arrived}. ${many(data.total, 'trace')}${filter === '' ? '' : ` matching ${quoted(filter, 300)}`}${after === '' ? '' : ' since your last request'}; the newest is ${statusOf(newest)}.`,
      ...others.map((trace) => `  also ${plain(trace.id)} ${quoted(trace.name, 80)}: ${statusOf(trace)} · ${time(trace.start)}`),
      ...(data.total > data.rows.length ? [`  and ${count(data.total - data.rows.length)} more: find_traces`] : []),
      '',
    ];
    const found = await traceReport(context, newest.id, { spanId: '', errorsOnly: false, before });
    return { data: { after: data.arrived, ...data, newest: found.data }, text: found.text };
  },
});

const nothing = (context: ReportContext, filter: string, { after, arrived }: { after: string; arrived: string }): Found => ({
  data: { after: arrived, rows: [], total: 0 },
  text: () =>
    [
      `after ${arrived}. No ${after === '' ? '' : 'new '}trace${filter === '' ? '' : ` matching ${quoted(filter, 300)}`}${after === '' ? ' yet' : ' since your last request'}.`,
      'A program sends its spans when it ends, or in batches every few seconds: ask again, or check that it exports to this gateway.',
      `In the viewer: ${listLink(context.viewerUrl, filter)}`,
    ].join('\n'),
});
