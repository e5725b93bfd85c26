import { text } from '../core/parameters.ts';

/** White space around the name and control characters in it would make two names look like one. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this refuses
const ambiguous = /^\s|\s$|[\u0000-\u001f\u007f-\u009f]/;
export const environmentName = text
  .min(1, 'must not be empty')
  .max(255)
  .refine((name) => !ambiguous.test(name), 'must not begin or end with white space or contain control characters');
