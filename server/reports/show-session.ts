import { z } from 'zod';
import type { ListedTrace } from '../../shared/contract/tracing/trace-list.ts';
import { boundedReport } from './bounded-report.ts';
import { count, duration, many, money, time } from './figures.ts';
import { sessionLink } from './links.ts';
import { plain, quoted, recordedNotice } from './recorded-text.ts';
import { defineReport, ReportRefusal } from './report.ts';
import { statusOf } from './trace-lines.ts';

const turnsMax = 100;

const input = z.object({
  session_id: z.string().min(1).max(500),
  offset: z.number().int().min(0).max(1_000_000).default(0).describe('Turn to begin at'),
});

export const showSession = defineReport({
  name: 'show_session',
  description: 'A session as a conversation: what was asked and answered in each turn, oldest first, with failures and costs.',
  input,
  find: async (context, { session_id, offset }) => {
    const query = { session_id, sort_by: 'start_time', sort_order: 'asc', limit: turnsMax, offset } as const;
    const { data } = await context.client.traceList.rows({ query });
    if (data.total === 0) throw new ReportRefusal(`No trace has the session ${JSON.stringify(session_id)}`);
    const footOf = (shown: number) => {
      const next = offset + shown;
      const rest = data.total - next;
      return [
        '',
        `${shown} of ${many(data.total, 'turn')} shown${offset > 0 ? `, starting at turn ${offset + 1}` : ''}.${rest > 0 ? ` ${count(rest)} more: offset ${next}.` : ''}`,
        `Whole texts: show_span with the ids above. In the viewer: ${sessionLink(context.viewerUrl, session_id)}`,
      ];
    };
    return {
      data,
      text: (lengthMax) =>
        boundedReport(
          {
            head: [`Session ${quoted(session_id, 120)}: ${many(data.total, 'turn')}.`, recordedNotice, ''],
            items: data.rows.map((trace, at) => turnOf(trace, offset + at + 1)),
            foot: footOf,
          },
          lengthMax,
        ),
    };
  },
});

const textMax = 600;

function turnOf(trace: ListedTrace, number: number): string {
  const { input_preview = '', output_preview = '', input_span, output_span } = trace;
  const figures = [statusOf(trace), duration(trace.latency_ms), money(trace.cost), `${count(trace.tokens)} tokens`, time(trace.start)];
  const side = (label: string, text: string, span: string | null) =>
    text === '' ? [] : [`  ${label} ${quoted(text, textMax)}${span === null ? '' : ` (span ${plain(span)})`}`];
  return [
    `Turn ${number} · trace ${plain(trace.id)} · ${figures.join(' · ')}`,
    ...side('asked', input_preview, input_span),
    ...side('answered', output_preview, output_span),
  ].join('\n');
}
