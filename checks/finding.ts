/** One breach of one structure rule. */
export interface Finding {
  rule: string;
  /** Relative to the root of the tree. */
  file: string;
  what: string;
  /** What to do instead. */
  instead: string;
}

export const asText = ({ rule, file, what, instead }: Finding): string => `${rule}: ${file}\n    ${what}\n    Instead: ${instead}`;
