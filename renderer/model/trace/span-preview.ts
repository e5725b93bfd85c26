/** One-line preview of a span. Read from previews of at most 8 KiB, and only for rows that are drawn or searched. */
import type { SpanInTrace } from '../../../shared/contract/tracing/spans.ts';
import { readJson } from '../text/read-json.ts';
import { readMessages } from './messages.ts';

const previewChars = 160;

const squeezed = (text: string) =>
  text
    .slice(0, previewChars * 4)
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, previewChars);

/** The plain values of a JSON value in order: `{"path": "src", "n": 2}` is `src, 2`. */
function plainValues(value: unknown, into: string[] = []): string[] {
  if (into.length >= 8 || value === null || value === undefined) return into;
  if (typeof value !== 'object') into.push(String(value));
  else for (const each of Object.values(value)) plainValues(each, into);
  return into;
}

/** A text that may be JSON, as words. JSON that was cut off is still readable without its marks. */
export function oneLine(text: string): string {
  const json = readJson(text);
  if (json !== undefined && typeof json === 'object') return squeezed(plainValues(json).join(', '));
  return /^\s*[[{]/.test(text) ? squeezed(text.slice(0, 1000).replace(/[{}[\]"\\]+/g, ' ')) : squeezed(text);
}

function calls(toolCalls: string | undefined): string {
  const parts = readMessages(`[{"role":"assistant","content":${toolCalls || '[]'}}]`)?.[0]?.parts ?? [];
  return squeezed(
    parts.flatMap((part) => (part.type === 'tool-call' ? [`${part.name}(${oneLine(JSON.stringify(part.args ?? ''))})`] : [])).join(', '),
  );
}

function said(input: string | undefined): string {
  if (!input) return '';
  const messages = readMessages(input);
  if (!messages) return oneLine(input);
  const asked = messages.findLast((message) => message.role === 'user') ?? messages.at(-1);
  const text = asked?.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(' ') ?? '';
  return oneLine(text);
}

const previews = new WeakMap<SpanInTrace, string>();

function read(span: SpanInTrace): string {
  if (span.status === 'ERROR' && span.status_message) return squeezed(span.status_message);
  const answered = () => (span.output ? oneLine(span.output) : '') || calls(span.tool_calls);
  const asked = () => said(span.input);
  return span.span_kind === 'llm' ? answered() || asked() : asked() || answered();
}

/** Error of a failed span, output of a model call, input of other spans. */
export function spanPreview(span: SpanInTrace): string {
  const known = previews.get(span);
  if (known !== undefined) return known;
  const text = read(span);
  previews.set(span, text);
  return text;
}
