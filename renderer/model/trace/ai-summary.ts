/** Summary of a span for the prompt of an assistant: kind, failure, input and output, shortened. */
import type { SpanInTrace } from '../../../shared/contract/tracing/spans.ts';
import { cost, duration, tokens } from '../text/format.ts';
import { milliseconds } from '../time/time.ts';
import type { Message } from './messages.ts';
import { readPayload } from './payload.ts';
import { messageText } from './what-changed.ts';

const textMax = 1200;
const messagesMax = 8;

/** Keeps the first and last part of a text, and tells how much was left out. */
export function truncateMiddle(text: string, max = textMax): string {
  const clean = text.toWellFormed();
  if (clean.length <= max) return clean;
  const tail = Math.floor(max / 4);
  const cut = clean.length - max;
  return `${clean.slice(0, max - tail).toWellFormed()}\n[… ${cut} characters left out …]\n${clean.slice(-tail).toWellFormed()}`;
}

function conversation(messages: readonly Message[]): string {
  const latest = messages.slice(-messagesMax);
  const omitted = messages.length - latest.length;
  const lines = latest.map((message) => `${message.role}: ${truncateMiddle(messageText(message))}`);
  return [...(omitted > 0 ? [`[… ${omitted} earlier messages left out …]`] : []), ...lines].join('\n\n');
}

function contentText(text: string | undefined): string {
  const payload = readPayload(text);
  return payload.form === 'messages' ? conversation(payload.messages) : truncateMiddle(text ?? '');
}

export interface SummaryInput {
  span: SpanInTrace;
  /** Names from the root down to the span. */
  path: readonly string[];
  exceptions: readonly { type: string; message: string; stack: string }[];
  /** Other failed spans of the trace, as `name: reason`. */
  errors: readonly string[];
}

export function aiSummary({ span, path, exceptions, errors }: SummaryInput): string {
  const facts = [
    `status ${span.status}`,
    `took ${duration(milliseconds(span.duration_ms))}`,
    span.model && `model ${span.model}`,
    span.tokens > 0 && `tokens ${tokens(span.input_tokens)} in, ${tokens(span.output_tokens)} out`,
    span.cost > 0 && `cost ${cost(span.cost)}`,
    span.finish_reason && `stopped by ${span.finish_reason}`,
  ].filter(Boolean);
  const sections: [string, string][] = [
    [
      'Error',
      [
        span.status_message ?? '',
        ...exceptions.map(({ type, message, stack }) => [`${type}: ${message}`, truncateMiddle(stack)].filter(Boolean).join('\n')),
      ]
        .filter(Boolean)
        .join('\n'),
    ],
    ['Settings', truncateMiddle(span.settings ?? '')],
    ['Input', contentText(span.input)],
    ['Output', contentText(span.output || span.output_object)],
    ['Tool calls', truncateMiddle(span.tool_calls ?? '')],
    [
      'Other errors in this trace',
      errors
        .slice(0, 10)
        .map((error) => `- ${truncateMiddle(error, 200)}`)
        .join('\n'),
    ],
  ];
  return [
    `# ${span.span_kind} span: ${span.name || 'unnamed'}`,
    `Trace ${span.trace_id}, span ${span.id}`,
    path.length > 1 ? `Path: ${path.join(' > ')}` : '',
    facts.join(', '),
    ...sections.flatMap(([title, text]) => (text.trim() === '' ? [] : [`\n## ${title}\n${text}`])),
  ]
    .filter((line) => line !== '')
    .join('\n');
}
