import type { Part } from '../../normalised.ts';
import type { Dialect } from '../dialect.ts';
import { isObject, type JsonObject, textIn } from '../json-value.ts';
import { mediaIn } from '../media.ts';
import { toolArguments } from '../tool-arguments.ts';

/**
 * Content blocks of Bedrock's Converse API, which Strands Agents also writes: each is an object with one key, `toolUse`, `toolResult`,
 * `reasoningContent`, `image`, `document` or `video`. A response is `{output:{message}, stopReason}`.
 */
export const bedrockConverse: Dialect = {
  untypedPart: (value) =>
    toolUse(value['toolUse']) ?? toolResult(value['toolResult']) ?? reasoning(value['reasoningContent']) ?? media(value),
  body: (value, decoder) => {
    const output = value['output'];
    const message = isObject(output) && isObject(output['message']) ? decoder.message(output['message'], 'assistant') : undefined;
    if (message === undefined) return undefined;
    const finish = textIn(value, 'stopReason');
    return [finish ? { ...message, finish_reason: finish } : message];
  },
};

function toolUse(block: unknown): Part | undefined {
  if (!isObject(block)) return undefined;
  return {
    type: 'tool-call',
    id: textIn(block, 'toolUseId') ?? '',
    name: textIn(block, 'name') ?? '',
    args: toolArguments(block['input']),
  };
}

function toolResult(block: unknown): Part | undefined {
  if (!isObject(block)) return undefined;
  const result: Part = { type: 'tool-result', id: textIn(block, 'toolUseId') ?? '', result: block['content'] ?? null };
  return block['status'] === 'error' ? { ...result, isError: true } : result;
}

function reasoning(content: unknown): Part | undefined {
  if (!isObject(content)) return undefined;
  const inner: JsonObject = isObject(content['reasoningText']) ? content['reasoningText'] : content;
  const signature = textIn(inner, 'signature');
  return { type: 'reasoning', text: textIn(inner, 'text') ?? '', ...(signature ? { signature } : {}) };
}

function media(value: JsonObject): Part | undefined {
  for (const [key, modality] of MEDIA_KEYS) {
    const block = value[key];
    if (isObject(block) && isObject(block['source'])) return mediaIn(block, modality);
  }
  return undefined;
}

const MEDIA_KEYS = [
  ['image', 'image'],
  ['video', 'video'],
  ['document', 'file'],
] as const;
