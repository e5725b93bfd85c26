import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytesLike, type MediaType, mediaTypes } from '../../../fixtures/media-bytes.ts';
import { agreedType, sniffedType } from './media-type.ts';

const text = (value: string) => Buffer.from(value, 'latin1');

describe('the type on which sender and bytes agree', () => {
  it.each(mediaTypes)('%s is served as itself', (type) => {
    expect(agreedType(type, bytesLike(type))).toBe(type);
    expect(agreedType(`${type.toUpperCase()}; codecs="x"`, bytesLike(type))).toBe(type);
  });

  it.each([
    ['image/jpg', 'image/jpeg', 'image/jpeg'],
    ['audio/mp3', 'audio/mpeg', 'audio/mpeg'],
    ['audio/x-wav', 'audio/wav', 'audio/wav'],
    ['audio/x-m4a', 'audio/mp4', 'audio/mp4'],
    ['', 'image/png', 'image/png'],
    ['image/*', 'image/webp', 'image/webp'],
    ['*/*', 'audio/ogg', 'audio/ogg'],
  ] as const)('%s over bytes of %s is %s', (claimed, bytes, agreed) => {
    expect(agreedType(claimed, bytesLike(bytes))).toBe(agreed);
  });

  it.each([
    ['image/png', 'image/jpeg'],
    ['image/svg+xml', 'image/png'],
    ['text/html', 'image/png'],
    ['text/html', 'application/pdf'],
    ['audio/*', 'image/png'],
    ['application/octet-stream', 'image/png'],
    ['image/png, text/html', 'image/png'],
    ['video/ogg', 'audio/ogg'],
  ] as const)('there is none when %s is claimed for %s', (claimed, bytes) => {
    expect(agreedType(claimed, bytesLike(bytes))).toBe('');
  });

  it.each([
    ['image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
    ['image/png', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
    ['image/gif', 'GIF8<script>alert(1)</script>'],
    ['text/html', '<!doctype html><script>alert(1)</script>'],
    ['', '<html>'],
    ['image/webp', 'RIFF\x24\0\0\0AVI LIST'],
    ['image/heic', '\0\0\0\x18ftypheic\0\0\0\0'],
    ['video/quicktime', '\0\0\0\x14ftypqt  \0\0\0\0'],
    ['video/x-matroska', '\x1aE\xdf\xa3\x93B\x82\x88matroska'],
    ['image/png', ''],
    ['image/png', '\x89PN'],
    ['audio/aac', '\xff\xf1\x50\x80'],
  ])('%s claimed for other bytes has no type: %j', (claimed, bytes) => {
    expect(agreedType(claimed, text(bytes))).toBe('');
  });

  it('is an MP3 without a tag as well', () => {
    expect(agreedType('audio/mpeg', text('\xff\xfb\x90\x64'))).toBe('audio/mpeg');
    expect(agreedType('audio/mpeg', text('\xff\xff\xff\xff'))).toBe('');
  });

  it('is on the allow-list for any claim and any bytes', () => {
    const claimed = fc.oneof(fc.constantFrom(...mediaTypes, 'image/svg+xml', 'text/html', ''), fc.string());
    const bytes = fc.oneof(
      fc.constantFrom(...mediaTypes).map((type: MediaType) => bytesLike(type)),
      fc.uint8Array({ maxLength: 80 }),
    );
    fc.assert(
      fc.property(claimed, bytes, (name, some) => {
        const agreed = agreedType(name, some);
        expect(['', ...mediaTypes]).toContain(agreed);
        if (agreed !== '') expect(sniffedType(some)).not.toBe('');
      }),
    );
  });
});
