/**
 * What previews of payloads leave out, and how they say so. A payload field over 8 KiB is a preview in a trace read and whole in a
 * single-span read. A preview of JSON is JSON of the same shape, with three differences a reader must know:
 *
 * - A long text ends in `…`.
 * - A long list has one `Omission` in its middle; an object that lost fields says how many in a last field named `…`.
 * - Bytes are never in it. An object that carried them keeps its place and its other fields, and has those of a `MediaReference` instead;
 *   bytes that stood alone (a field or element that is a data address, base64 or a printed Buffer) are replaced by a `MediaReference`.
 *   Within a longer text a data address becomes the `url` of the reference.
 *
 * Previews show media in one form, whichever they were sent in; the single-span read gives what was sent, to the byte. `media.bytes`
 * answers the bytes of a reference. Payloads are written by anybody, and may hold objects that look like a reference: make the address
 * from the span's ids and `sha256`, and never load a `url` that is not that address.
 */
import { z } from 'zod';
import { route } from '../core/route.ts';
import { spanPath } from './spans.ts';

export const sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 lower-case hexadecimal digits');

/** Stands where bytes stood. `mimeType` is the sender's word, or what the bytes show when it said none; '' when neither tells. */
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
 * Stands for elements that were left out of the middle of a list. Between messages it also has `role: "omitted"` and a text as
 * `content`, between typed parts `type: "omitted"` and a text as `text`: readers that know neither show them without taking them for
 * something that was said.
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
      .meta({ format: 'binary', description: 'Of a picture, sound or film type when the bytes confirm it, else to be saved.' }),
    status: [200, 304],
    touches: ['telemetry'],
    errors: ['media_not_found'],
    wire: 'bytes',
    cache: 'private, max-age=31536000, immutable',
  }),
};
