/** Checks that the context windows of a trace account for every byte of the inputs that its spans show, and for every reported token. */
import type { ContextCall, ContextWindow, ContextWindows } from '../../../shared/contract/tracing/context-windows.ts';
import type { HttpClient } from '../../gateway/http-client.ts';
import type { Expect } from '../comparison.ts';
import type { ShownTrace } from '../shown.ts';

interface ShownPart {
  type: string;
  text?: string;
  toolName?: string;
  args?: unknown;
  result?: unknown;
  value?: unknown;
}

interface ShownMessage {
  role: string;
  content: string | ShownPart[];
}

export async function checkContext(client: HttpClient, traceId: string, shown: ShownTrace, expect: Expect): Promise<void> {
  const { data } = await client.json<{ data: ContextWindows }>(`/v1/viewer/traces/${traceId}/context`);
  expect('context.whole', data.is_whole, true, data.is_whole);
  for (const window of data.windows) {
    for (const call of window.calls) {
      checkChanges(window, call, expect);
      const span = shown.spans.get(call.span_id);
      if (span && span.content.input_messages.length > 0) checkBytes(window, call, span.io.input, expect);
    }
  }
  const read = new Set(data.windows.flatMap(({ calls }) => calls.map(({ span_id }) => span_id)));
  const models = [...shown.spans.values()].filter(({ wire }) => wire.span_kind === 'llm');
  const around = new Set(models.flatMap(({ wire }) => ancestors(wire.parent_id, shown)));
  const missing = models.filter(({ wire }) => !around.has(wire.id) && !read.has(wire.id)).map(({ wire }) => wire.name);
  expect('context.calls', missing.length === 0, [], missing);
}

function ancestors(id: string | null, { spans }: ShownTrace): string[] {
  const found: string[] = [];
  for (let at = id; at !== null && !found.includes(at); at = spans.get(at)?.wire.parent_id ?? null) found.push(at);
  return found;
}

/** What entered and what stayed of the call before is the prompt, and nothing else is. */
function checkChanges({ calls }: ContextWindow, call: ContextCall, expect: Expect): void {
  const before = call.compared_with === null ? [] : (calls[call.compared_with]?.parts ?? []);
  const [entered, dropped] = [new Set(call.entered), new Set(call.dropped)];
  const stayed = before.filter((id) => !dropped.has(id));
  const isWhole = call.parts.length === stayed.length + entered.size && call.parts.every((id) => entered.has(id) || stayed.includes(id));
  expect('context.changes', isWhole, call.parts, [...stayed, ...entered]);
  const tokens = call.tokens.reduce((sum, each) => sum + each, call.other_tokens);
  const isCounted = call.prompt !== 'recorded' || call.input_tokens === null || tokens === call.input_tokens;
  expect('context.tokens', isCounted, call.input_tokens, tokens);
}

function checkBytes({ parts }: ContextWindow, call: ContextCall, input: string, expect: Expect): void {
  const messages = JSON.parse(input) as ShownMessage[];
  expect('context.recorded', call.prompt === 'recorded', 'recorded', call.prompt);
  const texts = messages.flatMap(textsOf);
  const counted = call.parts
    .flatMap((id) => parts[id] ?? [])
    .filter(({ origin }) => !['tool_definitions', 'media', 'document'].includes(origin));
  const sizes = counted.map(({ bytes }) => bytes);
  expect('context.bytes', sizes.join() === texts.map((text) => Buffer.byteLength(text)).join(), texts, counted);
}

function textsOf({ role, content }: ShownMessage): string[] {
  if (typeof content === 'string') return content === '' ? [] : [content];
  const blocks = content.filter(({ type }) => type !== 'media').map(textOf);
  return role === 'assistant' && blocks.length > 0 ? [blocks.join('\n')] : blocks;
}

function textOf({ type, text, toolName, args, result, value }: ShownPart): string {
  if (type === 'tool-call') return `${toolName} ${plain(args)}`;
  return plain(type === 'tool-result' ? result : type === 'data' ? value : text);
}

const plain = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
