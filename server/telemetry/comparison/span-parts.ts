/** What a span was given and what came of it, reduced to hashes of texts in which nothing differs by chance. */
import { hash } from 'node:crypto';
import type { SemanticKind } from '../../../shared/contract/tracing/semantic-kinds.ts';
import type { Message, Part, SpanContent, SpanSummary } from '../../ingest/normalise/normalised.ts';
import type { StepParts } from './run-span.ts';

interface SpanParts {
  given: StepParts;
  results: StepParts;
}

export function spanParts(kind: SemanticKind, content: SpanContent, summary: SpanSummary): SpanParts {
  const failure = summary.status === 'ERROR' ? `failed: ${summary.status_message}` : '';
  switch (kind) {
    case 'llm':
      return {
        given: { ...modelsOf(summary), ...settingsOf(content), ...messagesIn(content, summary) },
        results: answerOf(content, failure),
      };
    case 'agent':
      return { given: messagesIn(content, summary), results: resultOf(content, failure) };
    default:
      return { given: present({ arguments: argumentsOf(content) }), results: resultOf(content, failure) };
  }
}

/** The requested model, because that is the decision of the program; else the one that answered. */
const modelsOf = ({ request_model, model }: SpanSummary): StepParts => present({ model: request_model || model });

const settingsOf = ({ settings, tool_definitions }: SpanContent): StepParts =>
  present({ settings: canonical(settings), tools: canonical(tool_definitions) });

function messagesIn(content: SpanContent, { prompt_name, prompt_version }: SpanSummary): StepParts {
  const { input_messages } = content;
  const [prompts, others] = [input_messages.filter(isPrompt), input_messages.filter((message) => !isPrompt(message))];
  const prompt = [prompt_name && `${prompt_name} ${prompt_version}`, ...prompts.map(textOf)].filter(Boolean).join('\n');
  const messages = input_messages.length === 0 ? canonical(content.input) : inOrder(others.map(textOf)).join('\n');
  return present({ prompt, messages });
}

const isPrompt = ({ role }: Message): boolean => role === 'system' || role === 'developer';

/** Results of calls at the same time arrive in any order. */
function inOrder(texts: readonly string[]): string[] {
  const ordered: string[] = [];
  for (let from = 0; from < texts.length; ) {
    let to = from + 1;
    if (isResult(texts[from] as string)) while (to < texts.length && isResult(texts[to] as string)) to++;
    for (const text of texts.slice(from, to).sort()) ordered.push(text);
    from = to;
  }
  return ordered;
}

const isResult = (text: string): boolean => text.startsWith('tool ');

function textOf({ role, parts }: Message): string {
  const texts = parts.flatMap((part) => partText(part));
  const [calls, others] = [texts.filter(isCall), texts.filter((text) => !isCall(text))];
  return `${role} ${[...others, ...calls.sort()].join('\n')}`;
}

/** Without ids, which differ from run to run, and without thoughts, which are no part of what was said. */
function partText(part: Part): string[] {
  switch (part.type) {
    case 'text':
      return [part.text];
    case 'reasoning':
      return [];
    case 'tool-call':
      return [`call ${part.name} ${canonicalOf(part.args)}`];
    case 'tool-result':
      return [`result ${canonicalOf(part.result)}`];
    case 'media':
      return [`${part.mimeType} ${part.url ?? part.fileId ?? part.base64 ?? ''}`];
    case 'data':
      return [canonicalOf(part.value)];
  }
}

const isCall = (text: string): boolean => text.startsWith('call ');

interface CalledTool {
  toolName: string;
  args?: unknown;
}

function answerOf(content: SpanContent, failure: string): StepParts {
  const calls = content.tool_calls === '' ? [] : (JSON.parse(content.tool_calls) as CalledTool[]);
  const choice = calls.map(({ toolName, args }) => `${toolName} ${canonicalOf(args)}`).sort();
  const said = content.output_messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'tool-call' ? [] : partText(part))));
  return present({
    result: failure,
    choice: choice.join('\n'),
    wording: said.length === 0 && calls.length === 0 ? content.output : said.join('\n'),
  });
}

const argumentsOf = ({ input, props }: SpanContent): string => canonical(input || props);
const resultOf = ({ output }: SpanContent, failure: string): StepParts => present({ result: failure || canonical(output) });

/** A text that is JSON without its white space and order of keys. */
function canonical(text: string): string {
  if (!/^\s*[{["]/.test(text)) return text;
  try {
    return canonicalOf(JSON.parse(text));
  } catch {
    return text;
  }
}

const canonicalOf = (value: unknown): string => JSON.stringify(sorted(value)) ?? '';

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]): [string, unknown] => [key, sorted(inner)]);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The parts that are not empty, each as a hash. */
function present(parts: StepParts): StepParts {
  const entries = Object.entries(parts).filter(([, text]) => text);
  return Object.fromEntries(entries.map(([part, text]) => [part, hash('sha1', text, 'base64')]));
}
