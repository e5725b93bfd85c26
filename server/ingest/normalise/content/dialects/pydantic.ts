import type { Part } from '../../normalised.ts';
import type { Dialect } from '../dialect.ts';
import { isObject, type JsonObject, textIn } from '../json-value.ts';
import { mediaIn } from '../media.ts';

/**
 * Content of Pydantic AI's first instrumentation version: parts are distinguished by `kind` (`text`, `thinking`, `image-url`, `binary`)
 * instead of `type`. Later versions write OTel parts, which are read by the dialect of OTel GenAI.
 */
export const pydantic: Dialect = {
  untypedPart: (value) => {
    const kind = textIn(value, 'kind');
    return kind === undefined || 'type' in value ? undefined : partOfKind(kind, value);
  },
};

function partOfKind(kind: string, value: JsonObject): Part | undefined {
  const text = textIn(value, 'text') ?? textIn(value, 'content');
  if (kind === 'text') return text === undefined ? undefined : { type: 'text', text };
  if (kind === 'thinking') return { type: 'reasoning', text: text ?? '' };
  if (kind.endsWith('-url')) return mediaIn(value, kind.slice(0, -'-url'.length));
  if (kind !== 'binary') return undefined;
  return mediaIn(isObject(value['binary_content']) ? value['binary_content'] : value);
}
