import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pathOf } from '../../../../shared/client.ts';
import { media, mediaReference, omission } from '../../../../shared/contract/tracing/media.ts';
import { bytesLike, mediaTypes, pictureShapes } from '../../../fixtures/media-bytes.ts';
import { processorTime } from '../../../fixtures/processor-time.ts';
import { propertyRuns } from '../../../fixtures/property-runs.ts';
import { spanWith } from '../../../ingest/normalise/content/fixtures/span-with.ts';
import { contentOf } from '../../../ingest/normalise/index.ts';
import { shorten } from './shorten.ts';
import { findMedia, mediaOf } from './span-media.ts';

const previewBytes = 8_192;
const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** A function span with this value as its input. */
const spanOf = (value: unknown) => spanWith({ 'input.value': JSON.stringify(value) });

function previewOf(value: unknown): string {
  const sent = spanOf(value);
  return shorten(contentOf(sent).input, previewBytes, mediaOf(sent));
}

/** All references in a preview. */
function referencesIn(value: unknown): { sha256: string; url: string; size: number }[] {
  const found: { sha256: string; url: string; size: number }[] = [];
  JSON.stringify(value, (_, item: unknown) => {
    const { data } = mediaReference.safeParse(item);
    if (data?.sha256) found.push({ sha256: data.sha256, url: data.url ?? '', size: data.size ?? 0 });
    return item;
  });
  return found;
}

const words = fc.string({ unit: 'grapheme', maxLength: 40 });
const shape = fc
  .tuple(fc.constantFrom(...mediaTypes), fc.integer({ min: 64, max: 9_000 }), fc.nat(50))
  .map(([type, size, at]) => pictureShapes(bytesLike(type, size)).at(at % 27)?.[1] ?? {});
const { payload } = fc.letrec((tie) => ({
  payload: fc.oneof(
    { maxDepth: 5 },
    words,
    fc.integer(),
    fc.constantFrom(null, true, '', '\ud83e', '🙂'.repeat(900), 'words '.repeat(2_000)),
    shape,
    fc.array(tie('payload'), { maxLength: 40 }),
    fc.dictionary(fc.oneof(words, fc.constantFrom('role', 'type', 'content', '__proto__', 'constructor')), tie('payload'), { maxKeys: 80 }),
    tie('payload').map((inner) => JSON.stringify(inner)),
  ),
}));

describe('a preview of any payload', () => {
  it('is JSON, fits, contains no base64, and refers to bytes that exist', () => {
    fc.assert(
      fc.property(payload, (value) => {
        const sent = spanOf({ long: 'words '.repeat(2_000), value });
        const preview = shorten(contentOf(sent).input, previewBytes, mediaOf(sent));
        expect(Buffer.byteLength(preview)).toBeLessThanOrEqual(previewBytes);
        expect(preview).not.toMatch(/[A-Za-z0-9+/_=-]{200}|(\d+,){60}/);
        for (const { sha256, size } of referencesIn(JSON.parse(preview)).slice(0, 2)) {
          const bytes = findMedia(sent, sha256)?.bytes ?? new Uint8Array();
          expect([sha256Of(bytes), bytes.length]).toEqual([sha256, size]);
        }
      }),
      { numRuns: propertyRuns(150) },
    );
  });

  it('keeps the messages of a conversation with their images', () => {
    const content = (index: number) => [
      { type: 'text', text: `${index} ${'words '.repeat(300)}` },
      { type: 'image_url', image_url: { url: `data:image/png;base64,${bytesLike('image/png', 9_000).toString('base64')}` } },
    ];
    const messages = Array.from({ length: 60 }, (_, index) => ({ role: index % 2 ? 'assistant' : 'user', content: content(index) }));
    const sent = spanWith({ 'gen_ai.operation.name': 'chat', 'gen_ai.input.messages': JSON.stringify(messages) });
    const preview = shorten(contentOf(sent).input, previewBytes, mediaOf(sent));
    expect(Buffer.byteLength(preview)).toBeGreaterThan(7_500);
    const read = JSON.parse(preview) as { role: string; content: unknown; omitted?: number }[];
    const [omittedNote] = read.filter(({ role }) => role === 'omitted');
    expect(omission.parse(omittedNote)).toEqual(omittedNote);
    expect(omittedNote?.content).toBe(`… ${omittedNote?.omitted} messages left out …`);
    expect(read.length - 1 + (omittedNote?.omitted ?? 0)).toBe(60);
    expect(referencesIn(read)).toHaveLength(read.length - 1);
    expect(read.at(-1)).toMatchObject({ role: 'assistant', content: [{ type: 'text' }, { type: 'media', mimeType: 'image/png' }] });
  });

  it('leaves out parts of messages and elements of lists without adding text that looks like content', () => {
    const parts = Array.from({ length: 900 }, (_, index) => ({ type: 'text', text: `part ${index}` }));
    const numbers = Array.from({ length: 9_000 }, (_, index) => index);
    expect(previewOf({ parts })).toMatch(/\{"type":"omitted","text":"… (\d+) left out …","omitted":\1\}/);
    expect(previewOf({ numbers })).toMatch(/,\{"omitted":\d+\},/);
    expect(previewOf(Object.fromEntries(numbers.map((number) => [`key ${number}`, number])))).toContain('"…":"8936 fields left out"}');
  });

  it('refers to the route that returns the bytes', () => {
    const [reference] = referencesIn(
      JSON.parse(previewOf({ mimeType: 'image/png', base64: bytesLike('image/png', 9_000).toString('base64') })),
    );
    const { trace_id: traceId, span_id: spanId } = spanOf({}).span;
    expect(reference?.url).toBe(pathOf(media.bytes.path, { traceId, spanId, sha256: reference?.sha256 }));
  });
});

describe('media of a span', () => {
  const png = bytesLike('image/png', 500);

  it.each(pictureShapes(png))('in %s are found by their hash', (_, value) => {
    const found = findMedia(spanOf([value]), sha256Of(png));
    expect(found?.type).toBe('image/png');
    expect(Buffer.from(found?.bytes ?? []).equals(png)).toBe(true);
  });

  it('have a buffer of their own, small ones too', () => {
    const png = bytesLike('image/png', 64);
    const found = findMedia(spanOf({ mimeType: 'image/png', base64: png.toString('base64') }), sha256Of(png));
    expect(found?.bytes.buffer.byteLength).toBe(64);
    expect(Buffer.from(found?.bytes ?? []).equals(png)).toBe(true);
  });

  it('of 15 MB are previewed and found within three seconds of processor time', () => {
    const png = bytesLike('image/png', 11_000_000);
    const sent = spanOf([{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: png.toString('base64') } }]);
    const { input } = contentOf(sent);
    const took = processorTime(() => {
      expect(shorten(input, previewBytes, mediaOf(sent)).length).toBeLessThan(500);
      expect(findMedia(sent, sha256Of(png))?.bytes.length).toBe(png.length);
    });
    expect(took).toBeLessThan(3_000);
  });
});
