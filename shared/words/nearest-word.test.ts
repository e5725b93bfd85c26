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
  // Two are as near as each other.
  ['tokens', null],
  ['owl', null],
  ['', null],
  ['é', null],
  ['x'.repeat(65), null],
  ['__proto__', null],
])('%s is perhaps %s', (written, word) => expect(nearestWord(written, fields)).toBe(word));

it('knows what others call it, and never its own prototype', () => {
  expect(nearestWord('==', ['equals'], { '==': 'equals' })).toBe('equals');
  expect(nearestWord('constructor', ['equals'], { '==': 'equals' })).toBe(null);
});

it('asks nothing where the word is right or nothing is near', () => {
  expect([didYouMean('cost', fields), didYouMean('owl', fields), didYouMean('Cost', fields)]).toEqual(['', '', ', did you mean cost?']);
});
