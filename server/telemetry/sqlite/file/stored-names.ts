/** Tables and columns whose names in the file differ from the terms of docs/glossary.md: migrations keep them as they were created. */
export const stored = {
  deadLetters: 'parked',
  /** Dead letters. */
  failedMs: 'parked_ms',
  /** Destinations: JSON of the state in which forwarding stopped. */
  failure: 'trouble',
  redactionTokens: 'valve_token',
} as const;
