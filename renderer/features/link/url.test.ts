import { expect, it } from 'vitest';
import { readLinkUrl, shownCode } from './url.ts';

it.each([
  ['bcdfghjk', 'BCDF-GHJK'],
  [' bcdf ghjk ', 'BCDF-GHJK'],
  ['BCDF-GHJK', 'BCDF-GHJK'],
  ['bcdf', 'BCDF'],
  ['b c-d', 'BCD'],
  ['', ''],
])('the code %j is shown as %j', (typed, shown) => {
  expect(shownCode(typed)).toBe(shown);
});

it('an address without a valid code has none', () => {
  expect([
    readLinkUrl({}),
    readLinkUrl({ code: ['a', 'b'] }),
    readLinkUrl({ code: ' ' }),
    readLinkUrl({ code: 'BCDF-GHJK', x: 1 }),
  ]).toEqual([...[{}, {}, {}], { code: 'BCDF-GHJK' }]);
});
