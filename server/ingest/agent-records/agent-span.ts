/**
 * Spans from log records. When a coding agent sends log records but no spans, each part of a turn is stored as a placeholder span. Its
 * content is built from its records when it is read, so that neither their order nor repetition has an effect.
 */
import {
  emptySpan,
  type RawAttribute,
  type RawLog,
  type RawResource,
  type RawScope,
  type RawSpan,
  type SpanData,
} from '../otlp/raw-span.ts';
import type { AgentName } from './agents.ts';
import { claudeInteraction, claudeSpan } from './claude-spans.ts';
import { codexSentSpan, codexSpan } from './codex-spans.ts';
import { geminiSpan } from './gemini-spans.ts';
import { historySpan } from './history-spans.ts';
import { isRedacted } from './record-values.ts';
import type { TurnRecord } from './turn-record.ts';
import { agentHistoryScope, turnSpanId } from './turn-record.ts';

const placeholderScope = 'glasshouse.agent-records';

/** Content of a span, built from log records. */
export interface AgentSpan {
  name: string;
  scope: string;
  /** Nanoseconds. The start is the end minus the duration. */
  start_ns: bigint;
  end_ns: bigint;
  attributes: RawAttribute[];
  /** Null when it did not fail. */
  error: string | null;
}

const spanBuilders: Record<AgentName, (target: string, logs: readonly RawLog[]) => AgentSpan> = {
  'claude-code': claudeSpan,
  codex: codexSpan,
  'gemini-cli': geminiSpan,
};

/** The stored placeholder of a part of a turn. Its id derives from `prompt`; so does `trace`, unless the turn was read into an exported trace. */
export function placeholderSpan(
  { trace, prompt }: { trace: string; prompt: string },
  { agent, target }: Pick<TurnRecord, 'agent' | 'target'>,
  resource: RawResource,
): SpanData {
  const span: RawSpan = {
    ...emptySpan(),
    trace_id: trace,
    span_id: turnSpanId(prompt, target),
    parent_id: target === 'turn' ? null : turnSpanId(prompt, 'turn'),
    name: target,
  };
  return { span, resource, scope: { name: placeholderScope, version: agent, attributes: [], dropped: 0, schema_url: '' } };
}

/** Whether `withAgentRecords` may change a span with this name and scope. */
export const isOfAgent = (name: string, scope: RawScope): boolean =>
  scope.name === placeholderScope ||
  scope.name === agentHistoryScope ||
  name.startsWith('claude_code.') ||
  scope.name.startsWith('com.anthropic.claude_code') ||
  scope.name.startsWith('codex');

const isClaude = ({ span, scope }: SpanData): boolean =>
  span.name.startsWith('claude_code.') || scope.name.startsWith('com.anthropic.claude_code');

/** After `withAgentRecords`: a placeholder without records, or whose records are gone. It is not shown. */
export const isPlaceholder = ({ scope }: SpanData): boolean => scope.name === placeholderScope;

/** A span with the content of its agent's log records added as span attributes. */
export function withAgentRecords(spanData: SpanData): SpanData {
  if (isPlaceholder(spanData)) return spanFromRecords(spanData);
  if (spanData.scope.name === agentHistoryScope) return historySpan(spanData);
  if (isClaude(spanData)) return claudeInteraction(withoutRedacted(spanData));
  return spanData.logs && spanData.scope.name.startsWith('codex') ? codexSentSpan(spanData) : spanData;
}

function spanFromRecords(spanData: SpanData): SpanData {
  const logs = spanData.logs ?? [];
  const buildSpan = spanBuilders[spanData.scope.version as AgentName];
  if (logs.length === 0 || !buildSpan) return spanData;
  const { name, scope, start_ns, end_ns, attributes, error } = buildSpan(spanData.span.name, logs);
  const span: RawSpan = {
    ...spanData.span,
    name,
    start_ns: String(start_ns),
    end_ns: String(end_ns),
    attributes,
    status_code: error === null ? 0 : 2,
    status_message: error ?? '',
  };
  return { ...spanData, span, scope: { ...spanData.scope, name: scope, version: '' } };
}

const hasRedactedText = ([, value]: RawAttribute): boolean => typeof value === 'string' && isRedacted(value);

/** Without placeholders such as `<REDACTED>`, which must not be read as content. */
function withoutRedacted(spanData: SpanData): SpanData {
  if (!spanData.span.attributes.some(hasRedactedText)) return spanData;
  return {
    ...spanData,
    span: { ...spanData.span, attributes: spanData.span.attributes.filter((attribute) => !hasRedactedText(attribute)) },
  };
}
