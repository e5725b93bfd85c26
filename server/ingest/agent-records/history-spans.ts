/** Adds to a span that was read from a session file what only the log records of its agent have. */
import type { RawAttribute, RawLog, SpanData } from '../otlp/raw-span.ts';
import { claudeHistorySpan } from './claude-spans.ts';
import { codexSpan } from './codex-spans.ts';
import { geminiSpan } from './gemini-spans.ts';
import { attributesOf, lastNamed } from './gen-ai-attributes.ts';
import { sortedByTime } from './record-times.ts';
import { amountIn, textIn } from './record-values.ts';

export function historySpan(spanData: SpanData): SpanData {
  const logs = sortedByTime(spanData.logs ?? []);
  if (logs.some(({ name }) => name.startsWith('codex.'))) return withAdded(spanData, codexAttributes(logs));
  if (logs.some(({ name }) => name.startsWith('gemini_cli.'))) return withAdded(spanData, tokensOf(logs, geminiCalls, geminiSpan));
  return claudeHistorySpan(spanData);
}

const withAdded = (spanData: SpanData, added: RawAttribute[]): SpanData => ({
  ...spanData,
  span: { ...spanData.span, attributes: [...spanData.span.attributes, ...added] },
});

function codexAttributes(logs: RawLog[]): RawAttribute[] {
  const decision = lastNamed(logs, 'codex.tool_decision');
  return [
    ...attributesOf({
      'metadata.decision': decision && textIn(decision.attributes, 'decision'),
      'metadata.decision_source': decision && textIn(decision.attributes, 'source'),
    }),
    ...tokensOf(logs, codexCalls, codexSpan),
  ];
}

const codexCalls = ({ name, attributes }: RawLog): boolean =>
  name === 'codex.sse_event' && amountIn(attributes, 'input_token_count') !== null;
const geminiCalls = ({ name }: RawLog): boolean => name === 'gemini_cli.api_response';

const counts = ['input_tokens', 'output_tokens', 'cache_read.input_tokens', 'cache_creation.input_tokens', 'reasoning.output_tokens'];

/** The tokens of all calls of a turn, some of which may not be in its file. Of a turn and its calls the larger counts are used. */
function tokensOf(logs: RawLog[], isCall: (log: RawLog) => boolean, spanOf: typeof codexSpan): RawAttribute[] {
  const calls = logs.filter(isCall).map((log) => spanOf('call:', [log]).attributes);
  if (calls.length === 0) return [];
  const total = (key: string) => calls.reduce((sum, attributes) => sum + (amountIn(attributes, key) ?? 0), 0);
  return attributesOf(Object.fromEntries(counts.map((count) => [`gen_ai.usage.${count}`, total(`gen_ai.usage.${count}`) || undefined])));
}
