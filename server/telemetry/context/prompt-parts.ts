/** The input of a model call as the parts of its prompt, in the order in which providers put them: tools, system prompt, messages. */
import { hash } from 'node:crypto';
import type { Message, Part, SpanContent } from '../../ingest/normalise/normalised.ts';
import { mediaTokens } from './estimate-tokens.ts';
import type { PromptPart } from './prompt-part.ts';

/** Empty when the messages were not recorded. */
export function promptParts({ input_messages, tool_definitions }: Pick<SpanContent, 'input_messages' | 'tool_definitions'>): PromptPart[] {
  if (input_messages.length === 0) return [];
  const calls = callsIn(input_messages);
  const messages = input_messages.flatMap((message) => partsOf(message, calls));
  return tool_definitions === '' ? messages : [toolsPart(tool_definitions), ...messages];
}

type ToolCall = Extract<Part, { type: 'tool-call' }>;
type ToolResult = Extract<Part, { type: 'tool-result' }>;
type Media = Extract<Part, { type: 'media' }>;

const labelMax = 160;
const plain = { name: '', callId: '', items: 1, mediaTokens: null } as const;

/** Text in one line. */
function labelOf(text: string): string {
  const line = text
    .slice(0, labelMax * 4)
    .replaceAll(/\s+/g, ' ')
    .trim();
  return (line.length <= labelMax ? line : line.slice(0, labelMax)).toWellFormed();
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

function callsIn(messages: readonly Message[]): Map<string, ToolCall> {
  const calls = new Map<string, ToolCall>();
  for (const { parts } of messages) for (const part of parts) if (part.type === 'tool-call') calls.set(part.id, part);
  return calls;
}

function toolsPart(definitions: string): PromptPart {
  const tools = toolsIn(definitions);
  const label = labelOf(tools.map(({ name }) => name).join(', '));
  return { ...plain, origin: 'tool_definitions', text: definitions, label, items: Math.max(1, tools.length) };
}

/** The tools of a text of definitions, with their names and their own texts. */
export function toolsIn(definitions: string): { name: string; text: string }[] {
  let list: unknown;
  try {
    list = JSON.parse(definitions);
  } catch {
    return [];
  }
  return Array.isArray(list) ? list.map((tool) => ({ name: nameOf(tool), text: textOf(tool) })) : [];
}

function nameOf(tool: unknown): string {
  if (typeof tool !== 'object' || tool === null) return textOf(tool).slice(0, labelMax);
  const { name, function: declared } = tool as { name?: unknown; function?: { name?: unknown } };
  return textOf(name ?? declared?.name ?? '').slice(0, labelMax);
}

/** Turns of the assistant are whole, of other messages each block is a part. */
function partsOf({ role, parts }: Message, calls: ReadonlyMap<string, ToolCall>): PromptPart[] {
  if (role === 'assistant') return assistantParts(parts);
  return parts.map((part) => {
    if (part.type === 'media') return mediaPart(part);
    if (part.type === 'tool-result') return resultPart(part, calls);
    const text = blockText(part);
    if (role === 'tool') return { ...plain, origin: 'tool_result', text, label: labelOf(text) };
    return { ...plain, origin: role === 'user' ? 'user' : 'system', text, label: labelOf(text) };
  });
}

function assistantParts(parts: readonly Part[]): PromptPart[] {
  const media = parts.filter((part) => part.type === 'media').map(mediaPart);
  const blocks = parts.filter((part) => part.type !== 'media').map(blockText);
  const text = blocks.join('\n');
  return blocks.length === 0 ? media : [{ ...plain, origin: 'assistant', text, label: labelOf(text) }, ...media];
}

function blockText(part: Part): string {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return part.text;
    case 'tool-call':
      return `${part.name} ${textOf(part.args)}`;
    case 'tool-result':
      return textOf(part.result);
    case 'data':
      return textOf(part.value);
    case 'media':
      return referenceOf(part);
  }
}

/** Labelled by what the tool was asked for, which tells results of one tool apart. */
function resultPart(part: ToolResult, calls: ReadonlyMap<string, ToolCall>): PromptPart {
  const text = textOf(part.result);
  const call = part.id === '' ? undefined : calls.get(part.id);
  const asked = call ? argumentsOf(call.args) : '';
  return {
    ...plain,
    origin: 'tool_result',
    name: labelOf(part.name ?? call?.name ?? ''),
    text,
    label: labelOf(asked || text),
    callId: part.id,
  };
}

function argumentsOf(args: unknown): string {
  if (typeof args !== 'object' || args === null) return textOf(args ?? '');
  const values = Object.values(args).filter((value) => typeof value !== 'object');
  return values.map((value) => String(value).slice(0, labelMax)).join(', ');
}

function mediaPart(part: Media): PromptPart {
  const isDocument = part.modality === 'document' || part.modality === 'file' || part.mimeType === 'application/pdf';
  const name = part.name ?? part.mimeType;
  const text = referenceOf(part);
  return {
    ...{ ...plain, origin: isDocument ? 'document' : 'media', name: labelOf(name), text },
    ...{ label: labelOf(part.name ?? part.url ?? part.mimeType), mediaTokens: mediaTokens(part.modality, part.base64?.length ?? 0) },
  };
}

const referenceOf = ({ mimeType, url, fileId, base64 }: Media): string =>
  `${mimeType} ${url ?? fileId ?? (base64 === undefined ? '' : hash('sha1', base64, 'base64url'))}`;
