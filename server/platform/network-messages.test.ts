import { expect, it } from 'vitest';
import { networkMessage } from './network-messages.ts';

it.each([
  ['ENOTFOUND', 'There is no host of this name, ENOTFOUND'],
  ['timeout', 'No answer came in time, timeout'],
  ['EWHATEVER', 'The host could not be reached, EWHATEVER'],
])('%s has a plain message', (code, message) => expect(networkMessage(code)).toBe(message));
