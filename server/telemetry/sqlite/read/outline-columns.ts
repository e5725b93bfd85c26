/** The parts of an outline: numbers instead of texts, and places in the columns instead of ids. */
import type { OutlineSpans } from '../../../../shared/contract/trace-outline.ts';
import { flag } from '../codes.ts';
import type { Lookup } from './lookup.ts';

export const emptyColumns = (): OutlineSpans => ({
  id: [],
  parent: [],
  start_us: [],
  duration_us: [],
  ttft_us: [],
  name: [],
  model: [],
  service: [],
  kind: [],
  status: [],
  flags: [],
  input_tokens: [],
  output_tokens: [],
  cached_tokens: [],
  tokens: [],
  cost: [],
});

/** The texts that a column uses, each once. */
export class Places {
  readonly texts: string[] = [];
  readonly #lookup: Lookup;
  readonly #known = new Map<number, number>();

  constructor(lookup: Lookup) {
    this.#lookup = lookup;
  }

  of(term: number | null): number {
    if (!term) return -1;
    const known = this.#known.get(term);
    if (known !== undefined) return known;
    this.texts.push(this.#lookup.text(term));
    this.#known.set(term, this.texts.length - 1);
    return this.texts.length - 1;
  }
}

/** Placeholders that stand for each other are few; a ring of them ends here. */
const hopsMax = 64;

/**
 * For every shown row the place of its parent among the shown rows: -1 for none, -2 for one that has not arrived. A placeholder
 * passes its children on to its own parent.
 */
export function parentPlaces(rows: readonly { 0: string; 1: string | null; 9: number }[]): number[] {
  const places = new Map<string, number>();
  const passedOn = new Map<string, string | null>();
  let shown = 0;
  for (const row of rows) {
    if ((row[9] & flag.placeholder) === 0) places.set(row[0], shown++);
    else passedOn.set(row[0], row[1]);
  }
  const placeOf = (parent: string | null): number => {
    let id = parent;
    for (let hops = 0; id !== null && hops < hopsMax; hops++) {
      const place = places.get(id);
      if (place !== undefined) return place;
      const next = passedOn.get(id);
      if (next === undefined) return -2;
      id = next;
    }
    return id === null ? -1 : -2;
  };
  return rows.filter((row) => (row[9] & flag.placeholder) === 0).map((row) => placeOf(row[1]));
}
