/** Texts of a shared trace: without media everywhere, and without ids of sessions and users in attributes and metadata. */
import type { SharedSpan } from '../../../../shared/contract/tracing/shared-trace.ts';
import { isIdentityKey, valueWithoutMedia, withoutMedia } from '../../../ingest/normalise/index.ts';

type Attribute = SharedSpan['attributes'][number];

/** Media in attributes for each part of a message: `llm.input_messages.0.message.contents.1.message_content.image.image.url`. */
const mediaOfPart = /\.\d+\.(?:.*\.)?(?:image|audio|video|file|image_url|input_audio|media|blob|inline_data)(?:\.|$)/;
/** Of values in values. Deeper ones are left out. */
const depthMax = 32;

/** A text with contents. Ids in it are contents too. */
export const sharedText = (text: string | null): string | null => (text === null ? null : withoutMedia(text));

/** A text with settings or variables of a template. */
export const sharedFields = (text: string | null): string | null => (text === null ? null : withoutMedia(text, isIdentityKey));

export function sharedMetadata(metadata: Readonly<Record<string, string>>): Record<string, string> {
  const shown = Object.entries(metadata).filter(([key]) => !isIdentityKey(key));
  return Object.fromEntries(shown.map(([key, value]) => [key, withoutMedia(value, isIdentityKey)]));
}

/** Attributes of OTLP/JSON. Lists and objects become JSON text, and bytes are left out. */
export function sharedAttributes(sent: unknown): Attribute[] {
  return [sent].flat().flatMap((attribute) => {
    const { key, value } = asFields(attribute);
    if (typeof key !== 'string' || isIdentityKey(key) || mediaOfPart.test(key)) return [];
    const shown = sharedValue(asFields(value));
    return shown === null ? [] : [{ key, value: shown }];
  });
}

function sharedValue(value: Fields): Fields | null {
  const [kind, content] = Object.entries(value)[0] ?? [];
  if (kind === 'stringValue') return { stringValue: withoutMedia(String(content), isIdentityKey) };
  if (kind === 'intValue' || kind === 'doubleValue' || kind === 'boolValue') return { [kind]: content };
  if (kind !== 'arrayValue' && kind !== 'kvlistValue') return null;
  return { stringValue: JSON.stringify(valueWithoutMedia(plainOf(value, 0), isIdentityKey)) };
}

function plainOf(sent: unknown, depth: number): unknown {
  const value = asFields(sent);
  if (depth >= depthMax) return null;
  const [kind, content] = Object.entries(value)[0] ?? [];
  const { values } = asFields(content);
  if (kind === 'arrayValue') return Array.isArray(values) ? values.map((item) => plainOf(item, depth + 1)) : [];
  if (kind === 'kvlistValue') {
    const entries = Array.isArray(values) ? values.map(asFields) : [];
    return Object.fromEntries(entries.map((entry) => [String(entry['key']), plainOf(entry['value'], depth + 1)]));
  }
  return kind === 'bytesValue' ? null : content;
}

type Fields = Readonly<Record<string, unknown>>;
const asFields = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});
