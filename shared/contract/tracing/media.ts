/**
 * What previews of payloads leave out, and how they mark it. A payload field over 8 KiB is a preview in a trace read and whole in a
 * single-span read. A preview of JSON is JSON of the same shape, with three differences a reader must know:
 *
 * - A long text ends in `…`.
 * - A long list has one `Omission` in its middle; an object that lost fields says how many in a last field named `…`.
 * - It never contains bytes. An object that contained bytes keeps its position and its other fields, and has those of a `MediaReference`
 *   instead; bytes on their own (a field or element that is a data URL, base64 or a printed Buffer) are replaced by a `MediaReference`.
 *   Within a longer text a data URL becomes the `url` of the reference.
 *
 * Previews show media in one form, whichever they were sent in; the single-span read gives what was sent, to the byte. `media.bytes`
 * returns the bytes of a reference. Anybody can write payloads, so they may contain objects that look like a reference: build the URL
 * from the span's ids and `sha256`, and never load a `url` that differs from it.
 */
import { z } from 'zod';
import { route } from '../core/route.ts';
import { spanPath } from './spans.ts';

export const sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 lower-case hexadecimal digits');

/** Replaces bytes. `mimeType` is what the sender declared, or what the bytes show when it declared none; '' when neither is known. */
export const mediaReference = z
  .looseObject({
    type: z.literal('media'),
    mimeType: z.string(),
    modality: z.string().meta({ description: '`image`, `audio`, `video` or `file`.' }),
    sha256: sha256.optional().meta({ description: 'Of the bytes themselves, so the same in every span that carries them.' }),
    size: z.int().optional().meta({ description: 'Bytes.' }),
    url: z.string().optional().meta({ description: 'Path of the bytes at this gateway.' }),
    problem: z.string().optional().meta({ description: 'Why there are no bytes to refer to; then there is no hash, size or url.' }),
  })
  .meta({ id: 'MediaReference' });
export type MediaReference = z.output<typeof mediaReference>;

/**
 * Replaces elements that were left out of the middle of a list. Between messages it also has `role: "omitted"` and a text as
 * `content`, between typed parts `type: "omitted"` and a text as `text`: readers that do not know it show the text without taking it for
 * a message.
 */
export const omission = z.looseObject({ omitted: z.int() }).meta({ id: 'Omission' });

export const media = {
  bytes: route({
    id: 'viewer-media',
    method: 'GET',
    path: '/v1/viewer/traces/:traceId/spans/:spanId/media/:sha256',
    summary: 'Read the bytes that a MediaReference in the payload of a span refers to',
    tag: 'viewer',
    permission: 'span.read',
    params: spanPath.extend({ sha256 }),
    reply: z
      .string()
      .meta({ format: 'binary', description: 'Of an image, audio or video type when the bytes confirm it, else an attachment.' }),
    status: [200, 304],
    touches: ['telemetry'],
    errors: ['media_not_found'],
    wire: 'bytes',
    cache: 'private, max-age=31536000, immutable',
  }),
};
