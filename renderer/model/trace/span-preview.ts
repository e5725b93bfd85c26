/** One-line preview of a span. Read from previews of at most 8 KiB, and only for rows that are shown or searched. */
import type { SpanInTrace } from '../../../shared/contract/tracing/spans.ts';
import { readJson } from '../text/read-json.ts';
import { readMessages } from './messages.ts';

const previewChars = 160;

const collapse = (text: string) =>
  text
    .slice(0, previewChars * 4)
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, previewChars);

/** The plain values of a JSON value in order: `{"path": "src", "n": 2}` is `src, 2`. */
function plainValues(value: unknown, into: string[] = []): string[] {
  if (into.length >= 8 || value === null || value === undefined) return into;
  if (typeof value !== 'object') into.push(String(value));
  else for (const child of Object.values(value)) plainValues(child, into);
  return into;
}

/** A text that may be JSON, in one line. Truncated JSON is readable without its punctuation. */
export function oneLine(text: string): string {
  const json = readJson(text);
  if (json !== undefined && typeof json === 'object') return collapse(plainValues(json).join(', '));
  return /^\s*[[{]/.test(text) ? collapse(text.slice(0, 1000).replace(/[{}[\]"\\]+/g, ' ')) : collapse(text);
}

function toolCallsText(toolCalls: string | undefined): string {
  const parts = readMessages(`[{"role":"assistant","content":${toolCalls || '[]'}}]`)?.[0]?.parts ?? [];
  return collapse(
    parts.flatMap((part) => (part.type === 'tool-call' ? [`${part.name}(${oneLine(JSON.stringify(part.args ?? ''))})`] : [])).join(', '),
  );
}

function lastUserText(input: string | undefined): string {
  if (!input) return '';
  const messages = readMessages(input);
  if (!messages) return oneLine(input);
  const lastMessage = messages.findLast((message) => message.role === 'user') ?? messages.at(-1);
  const text = lastMessage?.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(' ') ?? '';
  return oneLine(text);
}

const previews = new WeakMap<SpanInTrace, string>();

function previewOf(span: SpanInTrace): string {
  if (span.status === 'ERROR' && span.status_message) return collapse(span.status_message);
  const output = () => (span.output ? oneLine(span.output) : '') || toolCallsText(span.tool_calls);
  const input = () => lastUserText(span.input);
  return span.span_kind === 'llm' ? output() || input() : input() || output();
}

/** Error of a failed span, output of a model call, input of other spans. */
export function spanPreview(span: SpanInTrace): string {
  const cached = previews.get(span);
  if (cached !== undefined) return cached;
  const text = previewOf(span);
  previews.set(span, text);
  return text;
}
