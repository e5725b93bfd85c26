import { expect, it } from 'vitest';
import { canonicalJson, inputHash } from './input-hash.ts';

it.each([
  [{ a: 1, b: 2 }, 'a0ebc03bdc71de7b'],
  [{ b: 2, a: 1 }, 'a0ebc03bdc71de7b'],
  [{}, '08f44b07b5901a25'],
  ['hello', 'dcdd4ba1ec7623eb'],
  [{ name: 'café' }, 'b34f8f0023f6d207'],
  [null, '5b9bc4ba528108e4'],
])('%j has the hash that clients compute', (value, hash) => {
  expect(inputHash(value)).toBe(hash);
});

it('keys are ordered at every depth, by code units, and nothing else is', () => {
  expect(canonicalJson({ b: [{ d: 1, c: undefined }, 1.0, 1e21], B: 'x', a: null })).toBe(
    '{"B":"x","a":null,"b":[{"c":null,"d":1},1,1e+21]}',
  );
});
