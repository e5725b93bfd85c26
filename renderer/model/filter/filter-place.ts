/** What the completion expects at a position of a filter. */
import { Scanner } from '../../../shared/filter/scanner.ts';
import { symbolOperators, wordOperators } from '../../../shared/filter/spelling.ts';

/** `from`: start of the word at the position; `typed`: its typed part. */
export type FilterPlace =
  | { expects: 'field'; from: number; typed: string }
  | { expects: 'operator'; from: number; typed: string; field: string }
  | { expects: 'value'; from: number; typed: string; field: string; isQuoted: boolean }
  | { expects: 'joiner'; from: number; typed: string; joiner: 'and' | 'or' }
  | { expects: 'nothing' };

const takesNoValue = new Set(['exists', 'doesNotExist']);

export function placeIn(text: string, at: number): FilterPlace {
  const scan = new Scanner(text.slice(0, at));
  let isGroup = false;
  for (;;) {
    scan.skipBlank();
    if (!isGroup && scan.take('(')) isGroup = true;
    scan.skipBlank();
    let from = scan.at;
    const field = scan.field();
    if (scan.atEnd) return { expects: 'field', from, typed: field };
    if (field === '') return { expects: 'nothing' };
    scan.skipBlank();
    from = scan.at;
    const operator = takeOperator(scan);
    if (operator === null) return { expects: 'operator', from, typed: text.slice(from, at), field };
    if (!takesNoValue.has(operator)) {
      scan.skipBlank();
      from = scan.at;
      const isQuoted = scan.char === '"' || scan.char === "'";
      const value = isQuoted ? scan.quoted() : scan.bare();
      if (value === null) return { expects: 'value', from: from + 1, typed: text.slice(from + 1, at), field, isQuoted };
      if (scan.atEnd && !isQuoted) return { expects: 'value', from, typed: value, field, isQuoted };
      if (value === '' && !isQuoted) return { expects: 'nothing' };
    }
    scan.skipBlank();
    if (isGroup && scan.take(')')) isGroup = false;
    scan.skipBlank();
    from = scan.at;
    const joiner = isGroup ? 'or' : 'and';
    if (!scan.takeWord(joiner)) return { expects: 'joiner', from, typed: text.slice(from, at), joiner };
  }
}

function takeOperator(scan: Scanner): string | null {
  for (const [symbol, operator] of symbolOperators) if (scan.take(symbol)) return operator;
  for (const [words, operator] of wordOperators) if (scan.takeWords(words)) return operator;
  return null;
}

export type FilterToken = { from: number; to: number; is: 'field' | 'operator' | 'value' | 'word' };

/** The tokens of a filter, for highlighting. Stops where it cannot be parsed. */
export function tokensOf(text: string): FilterToken[] {
  const scan = new Scanner(text);
  const tokens: FilterToken[] = [];
  const add = (is: FilterToken['is'], from: number) => void (scan.at > from && tokens.push({ from, to: scan.at, is }));
  while (!scan.atEnd) {
    scan.skipBlank();
    const start = scan.at;
    if (scan.take('(') || scan.take(')') || scan.takeWord('and') || scan.takeWord('or')) {
      add('word', start);
      continue;
    }
    scan.field();
    add('field', start);
    scan.skipBlank();
    const operatorAt = scan.at;
    const operator = takeOperator(scan);
    add('operator', operatorAt);
    if (operator === null) break;
    if (takesNoValue.has(operator)) continue;
    scan.skipBlank();
    const valueAt = scan.at;
    const isQuoted = scan.char === '"' || scan.char === "'";
    if ((isQuoted ? scan.quoted() : scan.bare()) === null) {
      tokens.push({ from: valueAt, to: text.length, is: 'value' });
      break;
    }
    if (scan.at === valueAt && !isQuoted) break;
    add('value', valueAt);
  }
  return tokens;
}

/** Whether a problem lies before the word being typed at the end: an incomplete word is not an error yet. */
export function isSettled(text: string, position: number): boolean {
  const place = placeIn(text, text.length);
  return place.expects === 'nothing' ? position < text.trimEnd().length : position < place.from;
}
