import type { Message } from '../normalised.ts';
import { decodeParts } from './message-decoder.ts';
import type { SpanSources } from './span-sources.ts';

export const SYSTEM_KEYS = ['gen_ai.system_instructions', 'agentmark.system_prompt'] as const;

/** Instructions come as parts, as a message, as text, or as JSON text of these (docs/reference/ingest.md#system-message). */
export function systemMessage(sources: SpanSources): Message | undefined {
  for (const key of SYSTEM_KEYS) {
    const value = sources.structure(key) ?? sources.text(key);
    const parts = decodeParts(value).flatMap((part) => (part.type === 'data' ? contentOfMessage(part.value) : [part]));
    if (parts.length > 0) return { role: 'system', parts };
  }
  return undefined;
}

function contentOfMessage(value: unknown): Message['parts'] {
  const fields = value as Readonly<Record<string, unknown>>;
  const content = typeof value === 'object' && value !== null ? (fields['parts'] ?? fields['content']) : undefined;
  return content === undefined ? [{ type: 'data', value }] : decodeParts(content);
}
