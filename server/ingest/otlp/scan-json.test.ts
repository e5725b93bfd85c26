import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { processorTime } from '../../fixtures/processor-time.ts';
import { otlpLimits } from './limits.ts';
import { findJsonBomb } from './scan-json.ts';

const scan = (text: string) => findJsonBomb(Buffer.from(text));
const nested = (levels: number, open: string, close: string) => `${open.repeat(levels)}${close.repeat(levels)}`;
const most = otlpLimits.jsonDepthMax;

describe('a JSON body, before it is parsed', () => {
  test.each(['[]', '{"a":1}', '"text"', '1', '', '   ', '{"a":"}{][\\"{{{{"}'])('%s is harmless', (text) => {
    expect(scan(text)).toBeNull();
  });

  it.each([
    ['arrays', '[', ']'],
    ['objects', '{"a":', '}'],
  ])('may nest %s up to the limit and no level more', (_, open, close) => {
    expect(scan(nested(most, open, close))).toBeNull();
    expect(scan(nested(most + 1, open, close))).toContain(`deeper than ${most}`);
  });

  it('counts the keys of each object alone', () => {
    const object = `{${'"k":1,'.repeat(otlpLimits.jsonKeysMax - 1)}"k":1}`;
    expect(scan(`[${object},${object}]`)).toBeNull();
    expect(scan(`{"k":1,${object.slice(1)}`)).toContain(`more than ${otlpLimits.jsonKeysMax} keys`);
  });

  it('may hold arrays and objects up to the limit and no more, even without nesting', () => {
    const flat = (count: number) => `[${'{},'.repeat(count - 2)}{}]`;
    expect(scan(flat(otlpLimits.jsonContainersMax))).toBeNull();
    expect(scan(flat(otlpLimits.jsonContainersMax + 1))).toContain(`more than ${otlpLimits.jsonContainersMax} arrays and objects`);
  });

  it('is refused at the first level too many: five million brackets cost no more than a hundred', () => {
    const bomb = Buffer.alloc(10_000_000, '[');
    const elapsedMs = processorTime(() => {
      for (let run = 0; run < 1000; run++) findJsonBomb(bomb);
    });
    expect(elapsedMs).toBeLessThan(1000);
  });

  it('ignores brackets inside strings, with escapes too', () => {
    const brackets = '[{'.repeat(most);
    expect(scan(JSON.stringify({ a: brackets, [brackets]: `\\"${brackets}\\\\` }))).toBeNull();
    expect(scan(`"${brackets}\\\\"`)).toBeNull();
    expect(scan(`"\\\\"${'['.repeat(most + 1)}`)).not.toBeNull();
  });

  it('never refuses what JSON.stringify wrote within the limits', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), (value) => {
        expect(scan(JSON.stringify(value))).toBeNull();
      }),
    );
  });

  it('reads any bytes to the end without a fault', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        findJsonBomb(bytes);
      }),
    );
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('"', '\\', '[', ']', '{', '}', ':', 'a') }), (text) => {
        scan(text);
      }),
    );
  });
});
