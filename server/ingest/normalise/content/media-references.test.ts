import { describe, expect, it } from 'vitest';
import { mediaReference } from '../../../../shared/contract/tracing/media.ts';
import { bytesLike, pictureShapes } from '../../../fixtures/media-bytes.ts';
import { processorTime } from '../../../fixtures/processor-time.ts';
import type { EmbeddedMedia } from './embedded-media.ts';
import { MediaReferences } from './media-references.ts';

const png = bytesLike('image/png');
const base64 = png.toString('base64');
const url = `data:image/png;base64,${base64}`;

/** A value with references instead of bytes, and the media that were replaced. */
function replaceMedia(value: unknown): { replaced: unknown; media: EmbeddedMedia[] } {
  const media: EmbeddedMedia[] = [];
  const references = new MediaReferences((found) => {
    const { mimeType, modality, bytes } = found;
    const existing = media.findIndex((other) => bytes !== null && other.bytes?.equals(bytes));
    const index = existing >= 0 ? existing : media.push(found) - 1;
    if (bytes === null) return { type: 'media', mimeType, modality, problem: 'broken' };
    return { type: 'media', mimeType, modality, sha256: '0'.repeat(64), size: bytes.length, url: `/media/${index}` };
  });
  return { replaced: JSON.parse(JSON.stringify(references.all(value))), media };
}

const image = { type: 'media', mimeType: 'image/png', modality: 'image', sha256: '0'.repeat(64), size: png.length, url: '/media/0' };

describe('a picture', () => {
  it.each(pictureShapes(png))('in %s is found, whole and of its type', (_, value) => {
    const { replaced, media } = replaceMedia({ a: [{ role: 'user', content: [value] }] });
    expect(media).toEqual([{ mimeType: 'image/png', modality: 'image', bytes: png }]);
    expect(JSON.stringify(replaced)).not.toContain(base64.slice(0, 40));
    expect(JSON.stringify(replaced)).not.toContain('137,80,78');
  });

  it.each([
    [
      { type: 'media', mimeType: 'image/png', modality: 'image', base64, name: 'a.png' },
      { ...image, name: 'a.png' },
    ],
    [
      { mimeType: 'audio/mpeg', base64, format: 'mp3' },
      { ...image, mimeType: 'audio/mpeg', modality: 'audio', format: 'mp3' },
    ],
    [
      { type: 'image_url', image_url: { url, detail: 'high' } },
      { type: 'image_url', image_url: { ...image, detail: 'high' } },
    ],
    [
      { type: 'input_image', image_url: url, detail: 'low' },
      { ...image, detail: 'low' },
    ],
    [
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: base64 } },
      { type: 'image', source: { ...image, media_type: 'image/png' } },
    ],
    [{ image: { format: 'png', source: { bytes: base64 } } }, { image: { format: 'png', source: image } }],
    [
      { question: 'What?', screenshot: url },
      { question: 'What?', screenshot: image },
    ],
    [
      [url, 'words'],
      [image, 'words'],
    ],
    [url, image],
    [base64, image],
    [`see ![](${url})!`, 'see ![](/media/0)!'],
    [{ result: JSON.stringify({ base64, mimeType: 'image/png' }) }, { result: JSON.stringify({ ...image }) }],
  ])('keeps its place, its shape and its neighbours: %#', (value, expected) => {
    expect(replaceMedia(value).replaced).toEqual(expected);
  });

  it('is recognised by its bytes in every shape', () => {
    expect(replaceMedia(pictureShapes(png).map(([, value]) => value)).media).toHaveLength(1);
  });

  it('has the shape of the contract', () => {
    const { replaced } = replaceMedia({ mimeType: 'image/png', base64 });
    expect(mediaReference.parse(replaced)).toEqual(replaced);
  });
});

describe('sound', () => {
  it.each([
    ['input_audio', { type: 'input_audio', input_audio: { data: bytesLike('audio/wav').toString('base64'), format: 'wav' } }, 'audio/wav'],
    [
      'a raw format',
      { type: 'input_audio', input_audio: { data: Buffer.alloc(90, 7).toString('base64'), format: 'pcm16' } },
      'audio/pcm16',
    ],
    [
      'an answer',
      { role: 'assistant', audio: { id: 'a', data: bytesLike('audio/mpeg').toString('base64'), transcript: 'Hi' } },
      'audio/mpeg',
    ],
  ])('in %s is found', (_, value, mimeType) => {
    expect(replaceMedia(value).media).toMatchObject([{ mimeType, modality: 'audio' }]);
  });
});

describe('a value that is not media', () => {
  it.each([
    [{ type: 'image', image: 'https://example.com/a.png' }],
    [{ type: 'image_url', image_url: { url: 'https://example.com/a.png' } }],
    [{ type: 'file', file: { file_id: 'file-123', filename: 'a.pdf' } }],
    [{ type: 'document', content: 'words '.repeat(200) }],
    [{ type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'some plain words '.repeat(50) } }],
    [{ mimeType: 'text/plain', content: 'word' }],
    [{ contentType: 'application/json', data: JSON.stringify({ a: 'words '.repeat(100) }) }],
    [{ type: 'image', data: 'cat' }],
    [{ audio: { content: 'a long transcript, '.repeat(40) } }],
    [{ role: 'user', content: 'x'.repeat(9_000) }],
    [{ encrypted_content: Buffer.alloc(900, 5).toString('base64') }],
    [{ data: Array.from({ length: 100 }, (_, index) => index) }],
    [{ 0: 1, 1: 2, length: 2 }],
    [[137, 80, 78]],
    ['data:text/plain,hello'],
    ['a talk about data:image/png and ;base64, in words, long enough to be read'],
    [{ path: '/9j/'.repeat(15) }],
    ['{"cut": "in the middle of a very long text that was JSON'],
  ])('stays as it is: %#', (value) => {
    const { replaced, media } = replaceMedia(value);
    expect(media).toEqual([]);
    expect(replaced).toEqual(value);
  });
});

describe('unreadable bytes', () => {
  const broken = `${base64.repeat(3)}… [truncated]`;

  it('are replaced in the preview by the problem', () => {
    const expected = { type: 'media', mimeType: 'image/png', modality: 'image', problem: 'broken' };
    expect(replaceMedia({ mimeType: 'image/png', base64: broken }).replaced).toEqual(expected);
    expect(replaceMedia({ type: 'image_url', image_url: { url: `data:image/png;base64,${broken}` } }).replaced).toEqual({
      type: 'image_url',
      image_url: expected,
    });
  });

  it('are removed from a text, which keeps the rest', () => {
    expect(replaceMedia(`see data:image/png;base64,${base64.slice(0, 201)} here`).replaced).toBe('see data:image/png;base64,… here');
  });

  it('cannot borrow the fields of a reference', () => {
    const spoofed = { mimeType: 'image/png', base64: broken, url: 'https://evil.example/?q=secret', sha256: 'f'.repeat(64), size: 1 };
    expect(replaceMedia(spoofed).replaced).toEqual({ type: 'media', mimeType: 'image/png', modality: 'image', problem: 'broken' });
  });
});

describe('hostile values', () => {
  it('cannot reach a prototype', () => {
    const value: unknown = JSON.parse(`{"__proto__":{"mimeType":"image/png","base64":"${base64}"},"constructor":"${url}"}`);
    expect(replaceMedia(value).media).toHaveLength(1);
    expect(({} as { mimeType?: string }).mimeType).toBeUndefined();
  });

  it('may nest as deep and wrap texts as often as they like', () => {
    let wrapped = JSON.stringify({ mimeType: 'image/png', base64 });
    for (let level = 0; level < 8; level++) wrapped = JSON.stringify({ wrapped });
    let deep: object = { mimeType: 'image/png', base64 };
    for (let level = 0; level < 40; level++) deep = { deep };
    expect(replaceMedia({ wrapped, deep }).replaced).toBeDefined();
  });

  it('cost time in proportion to their length', () => {
    const length = 2_000_000;
    const texts = ['data:', 'data:a/', ';base64,', 'data:image/png;base64,', 'data:a/b;x=y', 'iVBORw0KGgo', '[', '{"a":', '"', '=', '\n'];
    const elapsedMs = processorTime(() => {
      for (const text of texts) {
        const long = text.repeat(Math.ceil(length / text.length));
        replaceMedia({ type: 'image', data: long, text: `${long};base64,`, mimeType: 'image/png', base64: long, url: `data:${long}` });
      }
    });
    expect(elapsedMs).toBeLessThan(10_000);
  });
});
