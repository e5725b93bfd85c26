/**
 * Payloads for readers who may not see media: without bytes, names, addresses and references of images, audio, video and files. Where it is
 * not clear whether a value is media, it is taken for media.
 */
import type { MediaReference } from '../../../../shared/contract/tracing/media.ts';
import { declaresMedia, modalityIn, undeclaredMedia } from './embedded-media.ts';
import { DEPTH_MAX, isObject, type JsonObject, jsonText, textIn } from './json-value.ts';
import { mediaIn } from './media.ts';
import { mimeTypeIn, NESTED_KEYS } from './media-facts.ts';
import { jsonOf } from './media-references.ts';
import { SIGNATURE_BYTES, sniffedType } from './media-type.ts';

const noticeText = 'Media are not shared';
/** Maximum nesting of JSON text in JSON text. */
const textNestingMax = 8;
const tooDeep = '[nested too deeply]';

/** Parts of these types are always media; others, such as `document`, may be plain text. */
const alwaysMedia = /^(?:media|(?:input_|output_)?(?:image|audio|video)(?:[_-]url)?)$/;
/** Fields that hold media, or their address, in objects of any type. */
const mediaFields: ReadonlySet<string> = new Set([
  ...NESTED_KEYS.filter((key) => !['source', 'document', 'file'].includes(key)),
  ...['audio_url', 'video_url', 'file_uri', 'fileUri', 'file_url', 'file_data', 'binary_content', 'base64'],
]);
/** Fields whose text may also be a description. */
const wordFields: ReadonlySet<string> = new Set(['image', 'audio', 'video']);
const address = /^(?:https?|data):/;
const dataUrls = /data:(?:[\w.+-]{1,64}\/[\w.+-]{1,64})?(?:;[\w=.+-]{1,64}){0,4};base64,[A-Za-z0-9+/_-]*={0,2}/g;
const longBase64 = /[A-Za-z0-9+/_-]{64,}={0,2}/g;
const textTypes = /^(?:text\/|application\/(?:json|xml)\b)/;

type IsLeftOut = (key: string) => boolean;

/** @param isLeftOut fields that are left out of JSON as well, at every level */
export function withoutMedia(text: string, isLeftOut: IsLeftOut = () => false): string {
  const cleaned = new Cleaning(isLeftOut).value(text, 0);
  return typeof cleaned === 'string' ? cleaned : jsonText(cleaned);
}

/** The same for a value of JSON. */
export const valueWithoutMedia = (value: unknown, isLeftOut: IsLeftOut = () => false): unknown => new Cleaning(isLeftOut).value(value, 0);

class Cleaning {
  readonly #isLeftOut: IsLeftOut;
  #textNesting = 0;

  constructor(isLeftOut: IsLeftOut) {
    this.#isLeftOut = isLeftOut;
  }

  value(value: unknown, depth: number): unknown {
    if (typeof value === 'string') return this.#text(value);
    if (typeof value !== 'object' || value === null) return value;
    if (depth >= DEPTH_MAX) return tooDeep;
    if (undeclaredMedia(value) !== undefined) return notice('');
    if (Array.isArray(value)) return value.map((item) => this.value(item, depth + 1));
    return isMediaPart(value as JsonObject) ? notice(modalityOf(value as JsonObject)) : this.#fields(value as JsonObject, depth);
  }

  #fields(value: JsonObject, depth: number): JsonObject {
    const copy: Record<string, unknown> = Object.create(null);
    for (const [key, field] of Object.entries(value)) {
      if (this.#isLeftOut(key)) continue;
      copy[key] = isMediaField(key, field) ? notice(modalityIn(key)) : this.value(field, depth + 1);
    }
    return copy;
  }

  /** Text without media stays as it is, to the byte. */
  #text(text: string): unknown {
    if (undeclaredMedia(text) !== undefined) return notice('');
    const inner = jsonOf(text);
    if (inner === undefined) return withoutBase64(text);
    if (this.#textNesting >= textNestingMax) return tooDeep;
    this.#textNesting++;
    const cleaned = this.value(inner, 0);
    this.#textNesting--;
    const written = jsonText(cleaned);
    return written === jsonText(inner) ? text : written;
  }
}

/** Also in JSON that was cut off by its sender. */
function withoutBase64(text: string): string {
  const withoutUrls = text.includes(';base64,') ? text.replace(dataUrls, `[${noticeText}]`) : text;
  return withoutUrls.replace(longBase64, (run) => {
    const isMedia = sniffedType(Buffer.from(run.slice(0, SIGNATURE_BYTES * 2), 'base64')) !== '';
    return isMedia ? `[${noticeText}]` : run;
  });
}

function isMediaPart(value: JsonObject): boolean {
  if (alwaysMedia.test(textIn(value, 'type') ?? '')) return true;
  if (!declaresMedia(value)) return false;
  // A plain text with its type, such as the body of an answer.
  const { content, data, ...rest } = value;
  return mediaIn(textTypes.test(mimeTypeIn(value)) && typeof (content ?? data) === 'string' ? rest : value) !== undefined;
}

function isMediaField(key: string, field: unknown): boolean {
  if (!mediaFields.has(key)) return false;
  if (isObject(field)) return mediaIn(field) !== undefined;
  return typeof field === 'string' && (!wordFields.has(key) || address.test(field));
}

const modalityOf = (value: JsonObject): string => modalityIn(textIn(value, 'type') ?? '') || modalityIn(mimeTypeIn(value));

const notice = (modality: string): MediaReference => ({
  ...{ type: 'media', mimeType: '', modality: modality || 'file', problem: noticeText },
});
