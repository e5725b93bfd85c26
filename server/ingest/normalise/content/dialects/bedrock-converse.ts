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
    toolUse(value['toolUse']) ?? toolResult(value['toolResult']) ?? reasoning(value['reasoningContent']) ?? medium(value),
  body: (value, decoder) => {
    const output = value['output'];
    const answered = isObject(output) && isObject(output['message']) ? decoder.message(output['message'], 'assistant') : undefined;
    if (answered === undefined) return undefined;
    const finish = textIn(value, 'stopReason');
    return [finish ? { ...answered, finish_reason: finish } : answered];
  },
};

function toolUse(used: unknown): Part | undefined {
  if (!isObject(used)) return undefined;
  return { type: 'tool-call', id: textIn(used, 'toolUseId') ?? '', name: textIn(used, 'name') ?? '', args: toolArguments(used['input']) };
}

function toolResult(answered: unknown): Part | undefined {
  if (!isObject(answered)) return undefined;
  const result: Part = { type: 'tool-result', id: textIn(answered, 'toolUseId') ?? '', result: answered['content'] ?? null };
  return answered['status'] === 'error' ? { ...result, isError: true } : result;
}

function reasoning(content: unknown): Part | undefined {
  if (!isObject(content)) return undefined;
  const inner: JsonObject = isObject(content['reasoningText']) ? content['reasoningText'] : content;
  const signature = textIn(inner, 'signature');
  return { type: 'reasoning', text: textIn(inner, 'text') ?? '', ...(signature ? { signature } : {}) };
}

function medium(value: JsonObject): Part | undefined {
  for (const [key, modality] of MEDIA_KEYS) {
    const carried = value[key];
    if (isObject(carried) && isObject(carried['source'])) return mediaIn(carried, modality);
  }
  return undefined;
}

const MEDIA_KEYS = [
  ['image', 'image'],
  ['video', 'video'],
  ['document', 'file'],
] as const;
