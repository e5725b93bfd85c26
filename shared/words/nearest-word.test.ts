import { expect, it } from 'vitest';
import { didYouMean, nearestWord } from './nearest-word.ts';

const fields = ['model', 'user_id', 'session_id', 'latency_ms', 'cost', 'prompt_tokens', 'completion_tokens', 'tags'];

it.each([
  ['modle', 'model'],
  ['Model', 'model'],
  ['userId', 'user_id'],
  ['latency', 'latency_ms'],
  ['latncy', 'latency_ms'],
  ['sesion', 'session_id'],
  ['costs', 'cost'],
  ['tgas', 'tags'],
  ['promt_token', 'prompt_tokens'],
  // Two are equally near.
  ['tokens', null],
  ['owl', null],
  ['', null],
  ['é', null],
  ['x'.repeat(65), null],
  ['__proto__', null],
])('the word nearest to %s is %s', (written, word) => expect(nearestWord(written, fields)).toBe(word));

it('finds synonyms, but no property of the prototype', () => {
  expect(nearestWord('==', ['equals'], { '==': 'equals' })).toBe('equals');
  expect(nearestWord('constructor', ['equals'], { '==': 'equals' })).toBe(null);
});

it('suggests nothing when the word is right or no word is near', () => {
  expect([didYouMean('cost', fields), didYouMean('owl', fields), didYouMean('Cost', fields)]).toEqual(['', '', ', did you mean cost?']);
});
