/**
 * Spans as log records tell them. Where a coding agent sends records and no spans, a span without words of its own stands for each part of a
 * turn, and everything it says comes from its records: whichever came first, and whatever came twice, it says the same.
 */
import { emptySpan, type RawAttribute, type RawLog, type RawResource, type RawSpan, type SentSpan } from '../otlp/raw-span.ts';
import type { AgentName } from './agents.ts';
import { claudeInteraction, claudeSpan } from './claude-spans.ts';
import { codexSpan, codexWireSpan } from './codex-spans.ts';
import { geminiSpan } from './gemini-spans.ts';
import { isRedacted } from './record-values.ts';
import type { TurnRecord } from './turn-record.ts';
import { turnSpanId } from './turn-record.ts';

const toldScope = 'glasshouse.agent-records';

/** What records say of a span. */
export interface Told {
  name: string;
  scope: string;
  /** Nanoseconds; the start is worked out from when it ended and how long it took. */
  start_ns: bigint;
  end_ns: bigint;
  attributes: RawAttribute[];
  /** '' when it did not fail. */
  error: string | null;
}

const tellers: Record<AgentName, (target: string, logs: readonly RawLog[]) => Told> = {
  'claude-code': claudeSpan,
  codex: codexSpan,
  'gemini-cli': geminiSpan,
};

/** The span that stands for a part of a turn, as it is stored. */
export function spanToTell(prompt: string, { agent, target }: Pick<TurnRecord, 'agent' | 'target'>, resource: RawResource): SentSpan {
  const span: RawSpan = {
    ...emptySpan(),
    trace_id: prompt,
    span_id: turnSpanId(prompt, target),
    parent_id: target === 'turn' ? null : turnSpanId(prompt, 'turn'),
    name: target,
  };
  return { span, resource, scope: { name: toldScope, version: agent, attributes: [], dropped: 0, schema_url: '' } };
}

const isClaude = ({ span, scope }: SentSpan): boolean =>
  span.name.startsWith('claude_code.') || scope.name.startsWith('com.anthropic.claude_code');

const isTold = ({ scope }: SentSpan): boolean => scope.name === toldScope;

/** No record tells about it, or none does any more: it is not shown. */
export const isUntold = (sent: SentSpan): boolean => isTold(sent);

/** A span with what its records say of it, told in the words of spans. */
export function withAgentRecords(sent: SentSpan): SentSpan {
  if (isTold(sent)) return told(sent);
  if (isClaude(sent)) return claudeInteraction(withoutRedacted(sent));
  return sent.logs && sent.scope.name.startsWith('codex') ? codexWireSpan(sent) : sent;
}

function told(sent: SentSpan): SentSpan {
  const logs = sent.logs ?? [];
  const teller = tellers[sent.scope.version as AgentName];
  if (logs.length === 0 || !teller) return sent;
  const { name, scope, start_ns, end_ns, attributes, error } = teller(sent.span.name, logs);
  const span: RawSpan = {
    ...sent.span,
    name,
    start_ns: String(start_ns),
    end_ns: String(end_ns),
    attributes,
    status_code: error === null ? 0 : 2,
    status_message: error ?? '',
  };
  return { ...sent, span, scope: { ...sent.scope, name: scope, version: '' } };
}

const withheld = ([, value]: RawAttribute): boolean => typeof value === 'string' && isRedacted(value);

/** A mark that a text was not recorded must not be read as the text. */
function withoutRedacted(sent: SentSpan): SentSpan {
  if (!sent.span.attributes.some(withheld)) return sent;
  return { ...sent, span: { ...sent.span, attributes: sent.span.attributes.filter((attribute) => !withheld(attribute)) } };
}
