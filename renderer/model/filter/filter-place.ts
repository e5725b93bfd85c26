/** What the completion expects at a position of a filter. */
import { findField } from '../../../shared/filter/fields.ts';
import { Scanner } from '../../../shared/filter/scanner.ts';
import { symbolOperators, wordOperators } from '../../../shared/filter/spelling.ts';

/** `from`: start of the word at the position; `typed`: its typed part; `isFirst`: nothing that could be joined stands before it. */
export type FilterPlace =
  | { expects: 'field'; from: number; typed: string; isFirst: boolean }
  | { expects: 'operator'; from: number; typed: string; field: string }
  | { expects: 'value'; from: number; typed: string; field: string; isQuoted: boolean }
  | { expects: 'nothing' };

const takesNoValue = new Set(['exists', 'doesNotExist']);
const nothing: FilterPlace = { expects: 'nothing' };

export const placeIn = (text: string, at: number): FilterPlace => new FilterReader(text.slice(0, at)).place();

/** The filter around the condition that is being written at a position. */
export function surroundings(text: string, at: number, place: FilterPlace): string {
  const start = place.expects === 'nothing' ? at : place.from;
  const fields = tokensOf(text.slice(0, start)).filter(({ is }) => is === 'field');
  const from = place.expects === 'field' || place.expects === 'nothing' ? start : (fields.at(-1)?.from ?? start);
  const before = text.slice(0, from).replace(/(?:[\s(]|\b(?:and|or))+$/i, '');
  const after = text
    .slice(at)
    .replace(/^[^\s()"',]*["']?/, '')
    .replace(/^(?:[\s)]|(?:and|or)\b)+/i, '');
  return [before, after].filter(Boolean).join(' ');
}

export type FilterToken = { from: number; to: number; is: 'field' | 'operator' | 'value' | 'word' };

/** The tokens of a filter, for highlighting. Stops where it cannot be parsed. */
export function tokensOf(text: string): FilterToken[] {
  const reader = new FilterReader(text);
  reader.place();
  return reader.tokens;
}

class FilterReader {
  readonly tokens: FilterToken[] = [];
  readonly #scan: Scanner;
  readonly #text: string;
  #isFirst = true;

  constructor(text: string) {
    this.#text = text;
    this.#scan = new Scanner(text);
  }

  /** What is expected at the end of the text. */
  place(): FilterPlace {
    for (;;) {
      const place = this.#term();
      if (place) return place;
    }
  }

  /** Null when more text follows. */
  #term(): FilterPlace | null {
    const scan = this.#scan;
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    scan.skipBlank();
    const from = scan.at;
    if (scan.atEnd) return { expects: 'field', from, typed: '', isFirst };
    this.#isFirst = scan.char === '(';
    if (scan.take('(') || scan.take(')') || scan.take(',')) return this.#record('word', from);
    if (this.#isQuote()) return scan.quoted() === null ? nothing : null;
    const word = scan.word();
    if (word === '') return nothing;
    const colon = word.indexOf(':');
    const short = word.slice(0, Math.max(0, colon));
    if (findField('traces', short)) {
      scan.back(word.length - colon - 1);
      this.tokens.push({ from, to: from + colon, is: 'field' }, { from: from + colon, to: from + colon + 1, is: 'operator' });
      return this.#value(short);
    }
    if (scan.atEnd) {
      if (colon > 0) return nothing;
      if (findField('traces', word)) this.#record('field', from);
      return { expects: 'field', from, typed: word, isFirst };
    }
    this.#isFirst = /^(and|or)$/i.test(word);
    return this.#isFirst ? this.#record('word', from) : this.#predicate(word, from);
  }

  #predicate(word: string, from: number): FilterPlace | null {
    const scan = this.#scan;
    const end = scan.at;
    scan.skipBlank();
    const at = scan.at;
    const operator = this.#operator();
    const isField = findField('traces', word) !== null;
    if (operator === null || !(isField || operator.isSymbol)) {
      scan.back(scan.at - at);
      const typed = this.#text.slice(at);
      const isTyping =
        /^(?:[\w]+\s*){0,3}$/.test(typed) && wordOperators.some(([words]) => words.join(' ').startsWith(typed.toLowerCase()));
      if (isField && isTyping) {
        this.tokens.push({ from, to: end, is: 'field' });
        return { expects: 'operator', from: at, typed, field: word };
      }
      return null;
    }
    this.tokens.push({ from, to: end, is: 'field' });
    this.#record('operator', at);
    if (takesNoValue.has(operator.name)) return null;
    if (operator.name === 'in' || operator.name === 'notIn') return this.#list(word);
    const place = this.#value(word);
    if (place || operator.name !== 'between') return place;
    scan.skipBlank();
    const andAt = scan.at;
    if (!scan.takeWord('and')) return nothing;
    this.#record('word', andAt);
    return this.#value(word);
  }

  #list(field: string): FilterPlace | null {
    const scan = this.#scan;
    for (let symbol = '('; ; symbol = ',') {
      scan.skipBlank();
      const from = scan.at;
      if (symbol === ',' && scan.take(')')) return this.#record('word', from);
      if (!scan.take(symbol)) return nothing;
      this.#record('word', from);
      const place = this.#value(field);
      if (place) return place;
    }
  }

  /** Null when the value is complete. */
  #value(field: string): FilterPlace | null {
    const scan = this.#scan;
    scan.skipBlank();
    const from = scan.at;
    const isQuoted = this.#isQuote();
    const value = isQuoted ? scan.quoted() : scan.bare();
    if (value === null) {
      this.tokens.push({ from, to: this.#text.length, is: 'value' });
      return { expects: 'value', from: from + 1, typed: this.#text.slice(from + 1), field, isQuoted };
    }
    this.#record('value', from);
    if (scan.atEnd && !isQuoted) return { expects: 'value', from, typed: value, field, isQuoted };
    return value === '' && !isQuoted ? nothing : null;
  }

  #operator(): { name: string; isSymbol: boolean } | null {
    for (const [symbol, name] of symbolOperators) if (this.#scan.take(symbol)) return { name, isSymbol: true };
    for (const [words, name] of wordOperators) if (this.#scan.takeWords(words)) return { name, isSymbol: false };
    return null;
  }

  #isQuote(): boolean {
    return this.#scan.char === '"' || this.#scan.char === "'";
  }

  #record(is: FilterToken['is'], from: number): null {
    if (this.#scan.at > from) this.tokens.push({ from, to: this.#scan.at, is });
    return null;
  }
}
