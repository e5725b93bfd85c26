import { z } from 'zod';
import { boundedReport } from './bounded-report.ts';
import { count, duration, money } from './figures.ts';
import { traceLink } from './links.ts';
import { plain, quoted, quotedWhole, recordedNotice } from './recorded-text.ts';
import { defineReport, type ReportContext, ReportRefusal } from './report.ts';

const parts = ['input', 'output', 'tools', 'attributes', 'logs'] as const;
type Part = (typeof parts)[number];

const input = z.object({
  trace_id: z.string().min(1).max(128),
  span_id: z.string().min(1).max(128),
  part: z.enum(parts).default('output').describe('tools: the definitions offered to the model'),
  offset: z
    .number()
    .int()
    .min(0)
    .max(2 ** 31)
    .default(0)
    .describe('Character offset to start from'),
});

export const showSpan = defineReport({
  name: 'show_span',
  description: 'The whole text of one part of a span, in pages: messages sent, answer, tool definitions, attributes, logs.',
  input,
  find: async (context, { trace_id: traceId, span_id: spanId, part, offset }) => {
    const { data: spans } = await context.client.traceViewer.previews({ params: { traceId }, query: { ids: spanId } });
    const span = spans.find(({ id }) => id === spanId);
    if (!span) throw new ReportRefusal(`The trace has no span ${JSON.stringify(spanId)}. show_trace lists the ids`);
    const text = await textOf(context, traceId, spanId, part);
    if (offset > text.length)
      throw new ReportRefusal(`The ${part} text of the span has ${text.length} characters; offset ${offset} is past its end`);
    const figures = [
      span.status === 'ERROR' ? 'FAILED' : span.status.toLowerCase(),
      duration(span.duration_ms),
      `${count(span.tokens)} tokens`,
      money(span.cost),
    ];
    const head = [
      `${span.span_kind} ${quoted(span.name, 120)}${span.model ? ` ${quoted(span.model, 60)}` : ''} · ${plain(spanId)}: ${figures.join(' · ')}`,
      ...(span.status_message ? [`error ${quoted(span.status_message, 500)}`] : []),
      recordedNotice,
      '',
    ];
    return {
      data: { span, part, text },
      text: (lengthMax) => pageOf({ context, traceId, spanId, part, text, offset, head }, lengthMax),
    };
  },
});

interface Paged {
  context: ReportContext;
  traceId: string;
  spanId: string;
  part: Part;
  text: string;
  offset: number;
  head: readonly string[];
}

function pageOf({ context, traceId, spanId, part, text, offset, head }: Paged, lengthMax: number): string {
  const footOf = (end: number) => [
    '',
    text === ''
      ? `No ${part} text was recorded for this span.`
      : `${part}: characters ${count(offset)} to ${count(end)} of ${count(text.length)}${end < text.length ? `. Next page: offset ${end}` : ', the end'}.`,
    `In the viewer: ${traceLink(context.viewerUrl, traceId, spanId)}`,
  ];
  // Quoting may make it longer: each bracket of ours that the text has becomes two.
  let end = Math.min(text.length, offset + Math.max(lengthMax - [...head, ...footOf(text.length)].join('\n').length - 4, 0));
  let page = quotedWhole(text.slice(offset, end));
  for (let over = overBy(head, page, footOf(end), lengthMax); over > 0 && end > offset; over = overBy(head, page, footOf(end), lengthMax)) {
    end = Math.max(offset, end - over);
    page = quotedWhole(text.slice(offset, end));
  }
  return boundedReport({ head, items: text === '' ? [] : [page], foot: () => footOf(end) }, lengthMax);
}

const overBy = (head: readonly string[], page: string, foot: readonly string[], lengthMax: number): number =>
  [...head, page, ...foot].join('\n').length + 3 - lengthMax;

async function textOf({ client }: ReportContext, traceId: string, spanId: string, part: Part): Promise<string> {
  const params = { traceId, spanId };
  if (part === 'input' || part === 'output') {
    const { data } = await client.spans.io({ params });
    if (part === 'input') return readable(data.input);
    return [data.output, data.output_object, data.tool_calls].flatMap((text) => (text ? [readable(text)] : [])).join('\n\n');
  }
  const { data } = await client.viewer.rawSpan({ params });
  if (part === 'tools') return readable(data.tool_definitions);
  if (part === 'logs') return data.logs.length === 0 ? '' : JSON.stringify(data.logs, null, 1);
  return JSON.stringify({ values: data.values, span: data.span, resource: data.resource }, null, 1);
}

/** JSON on several lines; other text as it is. */
function readable(text: string): string {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 1);
  } catch {
    return text;
  }
}
