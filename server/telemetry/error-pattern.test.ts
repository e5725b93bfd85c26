import { expect, it } from 'vitest';
import { commonPart, errorPattern } from './error-pattern.ts';

it.each([
  ['429 from the search provider, retry after 12 s', '‹n› from the search provider, retry after ‹n› s'],
  ['No response within 30 s from https://example.com/a?b=1', 'No response within ‹n› s from ‹url›'],
  ["KeyError: 'city'", "KeyError: 'city'"],
  ['file "a long name with many words.txt" is missing', 'file "‹text›" is missing'],
  ['run 0b8f5a2e-90ab-4c5d-8e7f-1234567890ab failed', 'run ‹id› failed'],
  ['request req_7f2kdm39dkq02 refused', 'request ‹id› refused'],
  ['ENOENT: no such file, open /tmp/owls/run-12.json', 'ENOENT: no such file, open ‹path›'],
  ['expired at 2026-11-24T10:00:00.123Z', 'expired at ‹time›'],
  ['gpt-4o is overloaded', 'gpt-4o is overloaded'],
  ['took 1,204.5 ms and -3 tries', 'took ‹n› ms and ‹n› tries'],
  ['first line\nTraceback: …', 'first line'],
  ['', ''],
])('the pattern of %j is %j', (message, pattern) => {
  expect(errorPattern(message)).toBe(pattern);
});

it('messages of any length have a pattern that is found at once', () => {
  for (const unit of ['a1-', '/a', '"', "'x", 'https://', '1,', '2026-11-2', '‹n›']) {
    expect(errorPattern(unit.repeat(1_000_000)).length).toBeLessThan(700);
  }
});

it('the common part is the longest text between what varies', () => {
  expect(commonPart('‹n› from the search provider, retry after ‹n› s')).toBe('from the search provider, retry after');
  expect(commonPart('‹n› s')).toBe('');
});
