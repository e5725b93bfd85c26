/** The part of a text around words that were sought, and where in it they are. */
import { foldCase } from '../../../../shared/filter/fold-case.ts';

/** Lengths in UTF-16 code units. */
const before = 48;
const length = 240;
/** As far as an excerpt is moved so that it does not begin or end within a word. */
const wordMax = 24;
/** Words of a text that are looked at: it may be long, and full of them. */
const foundMax = 500;

export interface Sought {
  /** Alternative spellings. */
  texts: readonly string[];
  /** Whether case is ignored; then `texts` are folded. */
  isFolded: boolean;
}

export interface Excerpt {
  text: string;
  /** Start and end in `text`. */
  marks: [number, number][];
  /** How many of what was sought are in it. */
  count: number;
}

interface Found {
  start: number;
  end: number;
  /** Index in what is sought. */
  of: number;
}

/** The part with the most of what is sought, with … where the text goes on; the first if several have as many; null if the text has none of it. */
export function excerptOf(text: string, sought: readonly Sought[]): Excerpt | null {
  const found = sought.flatMap((each, of) => occurrences(text, each).map((range): Found => ({ ...range, of })));
  if (found.length === 0) return null;
  found.sort((a, b) => a.start - b.start || b.end - a.end);
  const { first, count } = densest(found);
  const [start, end] = limits(text, first.start);
  const part = text.slice(start, end).replace(/\s/g, ' ');
  const opening = start > 0 ? '…' : '';
  const marks = marksOf(found, start, end).map(([from, to]): [number, number] => [from + opening.length, to + opening.length]);
  return { text: `${opening}${part}${end < text.length ? '…' : ''}`, marks, count };
}

function occurrences(text: string, { texts, isFolded }: Sought): { start: number; end: number }[] {
  const folded = isFolded ? foldCase(text) : text;
  const found: { start: number; end: number }[] = [];
  for (const word of texts) {
    if (word === '') continue;
    for (let at = folded.indexOf(word); at !== -1 && found.length < foundMax; at = folded.indexOf(word, at + word.length)) {
      found.push({ start: at, end: at + word.length });
    }
  }
  return folded.length === text.length
    ? found
    : found.map(({ start, end }) => ({ start: unfolded(text, start), end: unfolded(text, end) }));
}

/** Where a place in the folded text is in the text: few letters have a form of another length. */
function unfolded(text: string, place: number): number {
  let at = 0;
  let folded = 0;
  for (const letter of text) {
    if (folded >= place) break;
    folded += foldCase(letter).length;
    at += letter.length;
  }
  return at;
}

/** The word from which on most of what is sought fits into an excerpt. */
function densest(found: readonly Found[]): { first: Found; count: number } {
  let best = { first: found[0] as Found, count: 0 };
  for (const [index, first] of found.entries()) {
    const seen = new Set<number>();
    for (let at = index; at < found.length && (found[at] as Found).end <= first.start + length - before; at++) {
      seen.add((found[at] as Found).of);
    }
    if (seen.size > best.count) best = { first, count: seen.size };
  }
  return best;
}

/** Start and end of the excerpt around a place. */
function limits(text: string, place: number): [number, number] {
  const start = Math.max(0, place - before);
  const end = Math.min(text.length, start + length);
  return [start === 0 ? 0 : wordStart(text, start, place), end === text.length ? end : wordEnd(text, end)];
}

/** The first start of a word from `at` on; `at` if there is none near. */
function wordStart(text: string, at: number, until: number): number {
  const space = text.slice(at - 1, Math.min(until, at + wordMax)).search(/\s/);
  return space === -1 ? wholeLetter(text, at) : at + space;
}

/** The last end of a word before `at`; `at` if there is none near. */
function wordEnd(text: string, at: number): number {
  const space = text.slice(at - wordMax, at + 1).search(/\s\S*$/);
  return space === -1 ? wholeLetter(text, at) : at - wordMax + space;
}

/** A letter of two code units is not cut. */
const wholeLetter = (text: string, at: number): number => (/[\udc00-\udfff]/.test(text[at] ?? '') ? at + 1 : at);

/** Overlapping words are one mark. */
function marksOf(found: readonly Found[], start: number, end: number): [number, number][] {
  const marks: [number, number][] = [];
  for (const word of found) {
    if (word.start < start || word.start >= end) continue;
    const last = marks.at(-1);
    const mark: [number, number] = [word.start - start, Math.min(word.end, end) - start];
    if (last && mark[0] <= last[1]) last[1] = Math.max(last[1], mark[1]);
    else marks.push(mark);
  }
  return marks;
}
