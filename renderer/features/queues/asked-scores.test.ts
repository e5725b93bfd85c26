import { expect, it } from 'vitest';
import { misspeltScores, scoreNamesIn, toggledScore } from './asked-scores.ts';

it('names of scores are added and removed in the list that was typed', () => {
  expect(scoreNamesIn(' tone,, helpfulness ')).toEqual(['tone', 'helpfulness']);
  expect(toggledScore('tone ,', 'helpfulness')).toBe('tone, helpfulness');
  expect(toggledScore('tone, helpfulness', 'tone')).toBe('helpfulness');
});

it('a typo of a configured score is told, another new name is not', () => {
  const configured = ['helpfulness', 'tone'];
  expect(misspeltScores('helpfulnes, tone', configured)).toBe('helpfulnes is a new score; did you mean helpfulness?');
  expect(misspeltScores('tone, groundedness', configured)).toBe('');
});
