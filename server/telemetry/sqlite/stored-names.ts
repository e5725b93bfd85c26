/** Tables and columns whose names in the file differ from the terms of docs/glossary.md: migrations keep them as they were created. */
export const stored = {
  deadLetters: 'parked',
  /** Of a dead letter. */
  failedMs: 'parked_ms',
  /** Of a destination: JSON of the state it stopped in. */
  standing: 'trouble',
  /** Of a segment of the full-text index. */
  indexVersion: 'edition',
  redactionTokens: 'valve_token',
} as const;
