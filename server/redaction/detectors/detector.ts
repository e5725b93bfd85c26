/**
 * How values are found in texts. Texts are anybody's, so a look costs a bounded number of steps wherever it is called, unless it finds
 * something, and what it found it does not look at again: the whole is linear in the length of the text. Nothing here is one regular
 * expression over a whole text.
 */
import type { HiddenKind } from '../../../shared/contract/redaction.ts';

/** A stretch of a text, as `slice` has it. */
export interface Stretch {
  start: number;
  end: number;
}

/** Looks at one place of a text, given as a position. What it finds may begin before that place. */
export type Look = (text: string, at: number) => Stretch | null;

export interface Detector {
  kind: HiddenKind;
  /** It looks where a word begins with one of these (ASCII letters and digits). */
  words?: string;
  /** It looks at each of these signs (ASCII, neither letters nor digits). */
  signs?: string;
  look: Look;
}
