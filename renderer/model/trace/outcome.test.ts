import { expect, it } from 'vitest';
import { errorsInside, errorsInsideText, outcomesText } from './outcome.ts';

it('errors inside are those that the root does not report itself', () => {
  expect(errorsInside({ status: 'ERROR', error_count: 1 })).toBe(0);
  expect(errorsInside({ status: 'ERROR', error_count: 3 })).toBe(2);
  expect(errorsInside({ status: 'OK', error_count: 3 })).toBe(3);
  expect(errorsInside({ status: 'UNSET', error_count: 0 })).toBe(0);
  expect([errorsInsideText(1), errorsInsideText(3)]).toEqual(['1 error inside', '3 errors inside']);
});

it('failed traces and traces with errors inside are counted apart, each trace once', () => {
  const [failed, inside, fine] = [
    { status: 'ERROR', error_count: 2 },
    { status: 'OK', error_count: 1 },
    { status: 'UNSET', error_count: 0 },
  ] as const;
  expect(outcomesText([failed, inside, inside, fine])).toBe('1 failed, 2 with errors inside');
  expect(outcomesText([inside, fine])).toBe('1 with errors inside');
  expect(outcomesText([fine])).toBe('');
});
