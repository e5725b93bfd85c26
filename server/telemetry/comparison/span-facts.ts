/** What is known about a span that other spans of its kind may share: its settings, prompt, offered tools, arguments, result and error. */
import { hash } from 'node:crypto';
import type { FactKind } from '../../../shared/contract/tracing/comparison-terms.ts';
import type { SemanticKind } from '../../../shared/contract/tracing/semantic-kinds.ts';
import type { SpanContent, SpanSummary } from '../../ingest/normalise/normalised.ts';
import { errorPattern } from '../error-pattern.ts';

export interface SpanFact {
  kind: FactKind;
  /** Path in arguments, results and settings; name of an offered tool or of the prompt; empty for a value without a path. */
  field: string;
  /** At most 80 characters, as it is shown. */
  value: string;
  /** Tells values apart that are shown cut. */
  id: string;
}

const valueMax = 80;
const textMax = 20_000;
const fieldsMax = 24;
const depthMax = 3;
const itemsMax = 8;

export function spanFacts(kind: SemanticKind, content: SpanContent, summary: SpanSummary): SpanFact[] {
  const failed = summary.status === 'ERROR' ? [fact('error', '', errorPattern(summary.status_message))] : [];
  if (kind === 'llm') return [...callFacts(content, summary), ...failed];
  const given = content.input_messages.length > 0 ? lastText(content) : content.input || content.props;
  return [...valueFacts('argument', given), ...(failed.length > 0 ? failed : valueFacts('result', content.output))];
}

function callFacts({ settings, tool_definitions, input_messages }: SpanContent, summary: SpanSummary): SpanFact[] {
  const { prompt_name, prompt_version, model, request_model, finish_reason } = summary;
  const prompt = input_messages.find(({ role }) => role === 'system' || role === 'developer');
  const prompted = prompt_version || (prompt ? textOf(prompt.parts) : '');
  const facts = [fact('model', '', request_model || model), fact('prompt', prompt_name, prompted)];
  if (finish_reason !== '') facts.push(fact('result', 'finish_reason', finish_reason));
  return [...facts.filter(({ value }) => value !== ''), ...valueFacts('setting', settings), ...offered(tool_definitions)];
}

/** Definitions of every convention have the name of the tool at the top or in `function`. */
function offered(definitions: string): SpanFact[] {
  const list = jsonOf(definitions);
  if (!Array.isArray(list)) return [];
  const names = list.map((tool: { name?: unknown; function?: { name?: unknown } } | null) => tool?.name ?? tool?.function?.name);
  return names.filter((name): name is string => typeof name === 'string' && name !== '').map((name) => fact('tools', name, ''));
}

function lastText({ input_messages }: SpanContent): string {
  const last = input_messages.findLast(({ role }) => role === 'user');
  return last ? textOf(last.parts) : '';
}

const textOf = (parts: SpanContent['input_messages'][number]['parts']): string =>
  parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');

/** The scalars in a JSON text, each with its path; another text as it is. */
function valueFacts(kind: FactKind, text: string): SpanFact[] {
  if (text === '' || text.length > textMax) return [];
  const facts: SpanFact[] = [];
  const open: { path: string; value: unknown; depth: number }[] = [{ path: '', value: jsonOf(text) ?? text, depth: 0 }];
  for (let next = open.shift(); next && facts.length < fieldsMax; next = open.shift()) {
    const { path, value, depth } = next;
    if (typeof value !== 'object' || value === null) {
      const shown = typeof value === 'string' ? value.trim() : String(value);
      if (shown !== '') facts.push(fact(kind, path, shown));
    } else if (depth < depthMax) {
      const entries = Array.isArray(value)
        ? value.slice(0, itemsMax).map((item): [string, unknown] => [`${path}[]`, item])
        : Object.entries(value).map(([key, item]): [string, unknown] => [path === '' ? key : `${path}.${key}`, item]);
      for (const [inner, item] of entries.slice(0, fieldsMax)) open.push({ path: inner, value: item, depth: depth + 1 });
    }
  }
  return facts;
}

function jsonOf(text: string): unknown {
  if (!/^\s*[{["]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function fact(kind: FactKind, field: string, text: string): SpanFact {
  if (text.length <= valueMax) return { kind, field, value: text, id: text };
  return { kind, field, value: `${[...text.slice(0, valueMax * 2)].slice(0, valueMax - 1).join('')}…`, id: hash('sha1', text, 'base64') };
}
