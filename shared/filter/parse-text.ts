/**
 * The string form (docs/reference/filters.md#text-form), read in one pass from left to right. No regular expression is applied to the text,
 * so hostile input takes time in proportion to its length and no more.
 */
import { nearestWord } from '../words/nearest-word.ts';
import { filterLimits, type Operator, type Resource } from './fields.ts';
import { FilterError, quoted } from './filter-error.ts';
import type { Clause, Filter, Predicate } from './filter-tree.ts';
import { buildPredicate, checkField, checkOperator, operatorsOf, type WrittenPredicate } from './predicate.ts';
import { Scanner } from './scanner.ts';
import { operatorSynonyms, spellOperator, symbolOperators, wordOperators } from './spelling.ts';

/** @throws FilterError */
export function parseFilterText(resource: Resource, text: string): Filter {
  if (text.length > filterLimits.textLength) {
    throw new FilterError(`The filter is longer than ${filterLimits.textLength} characters`, { position: filterLimits.textLength });
  }
  return new TextParser(resource, text).filter();
}

class TextParser {
  readonly #resource: Resource;
  readonly #scan: Scanner;
  #predicates = 0;

  constructor(resource: Resource, text: string) {
    this.#resource = resource;
    this.#scan = new Scanner(text);
  }

  filter(): Filter {
    const scan = this.#scan;
    scan.skipBlank();
    if (scan.atEnd) this.#refuse('The filter is empty');
    if (scan.char === '[' || scan.char === '{') this.#refuse('The JSON form of filters is for POST bodies; write field operator value');
    const clauses: Clause[] = [this.#clause()];
    for (scan.skipBlank(); !scan.atEnd; scan.skipBlank()) {
      this.#requireAnd();
      clauses.push(this.#clause());
    }
    return { clauses };
  }

  #clause(): Clause {
    const scan = this.#scan;
    scan.skipBlank();
    if (!scan.take('(')) return [this.#predicate()];
    scan.skipBlank();
    if (scan.char === ')') this.#refuse('A group needs at least one predicate');
    const members: Predicate[] = [this.#member()];
    for (scan.skipBlank(); !scan.take(')'); scan.skipBlank()) {
      this.#requireOr();
      members.push(this.#member());
    }
    return members;
  }

  #member(): Predicate {
    this.#scan.skipBlank();
    if (this.#scan.char === '(') this.#refuse('Groups cannot nest');
    return this.#predicate();
  }

  #requireAnd(): void {
    const at = this.#scan.at;
    if (this.#scan.takeWord('and')) return;
    if (this.#scan.takeWord('or')) this.#refuse('or is allowed only inside parentheses', at);
    this.#refuse(`Expected and or the end, found ${this.#found()}`);
  }

  #requireOr(): void {
    const at = this.#scan.at;
    if (this.#scan.takeWord('or')) return;
    if (this.#scan.takeWord('and')) this.#refuse('and is allowed only outside parentheses', at);
    this.#refuse(`Expected or or ), found ${this.#found()}`);
  }

  #predicate(): Predicate {
    const scan = this.#scan;
    const start = scan.at;
    const field = scan.field();
    if (field === '' || isReserved(field)) this.#refuse(`Expected a field, found ${this.#found(start)}`, start);
    this.#predicates++;
    if (this.#predicates > filterLimits.predicates)
      this.#refuse(`Too many predicates: at most ${filterLimits.predicates}`, start, { field });
    const written: WrittenPredicate = { resource: this.#resource, form: 'text', field, positions: { field: start } };
    checkField(written);
    scan.skipBlank();
    written.positions.operator = scan.at;
    const operator = this.#operator(field);
    checkOperator(written, operator);
    scan.skipBlank();
    written.positions.value = scan.at;
    return buildPredicate(written, operator, this.#values(field, operator));
  }

  #operator(field: string): Operator {
    const scan = this.#scan;
    const start = scan.at;
    for (const [symbol, operator] of symbolOperators) if (scan.take(symbol)) return operator;
    for (const [words, operator] of wordOperators) if (scan.takeWords(words)) return operator;
    return this.#refuse(`Expected an operator after ${quoted(field)}, found ${this.#found(start)}${this.#guess(field, start)}`, start, {
      field,
    });
  }

  /** The operators of the field, and a suggestion when one of them is near. */
  #guess(field: string, at: number): string {
    const { kind } = checkField({ resource: this.#resource, form: 'text', field, positions: {} });
    const allowed = operatorsOf(kind, 'text');
    const nearest = nearestWord(this.#scan.tokenAt(at), allowed, operatorSynonyms);
    const list = allowed.map((operator) => spellOperator(operator, 'text')).join(', ');
    return `${nearest ? `, did you mean ${spellOperator(nearest as Operator, 'text')}?` : '.'} Use one of: ${list}`;
  }

  #values(field: string, operator: Operator): string[] {
    const scan = this.#scan;
    const start = scan.at;
    const context = { field, operator };
    if (operator === 'exists' || operator === 'doesNotExist') {
      if (scan.atEnd || scan.char === ')' || isReserved(scan.peekWord())) return [];
      return this.#refuse(`${spellOperator(operator, 'text')} takes no value, found ${this.#found()}`, start, context);
    }
    if (scan.char === '"' || scan.char === "'") {
      const value = scan.quoted();
      return [value ?? this.#refuse('Unterminated quote', start, context)];
    }
    const value = scan.bare();
    if (value === '' || '=!<>'.includes(value.charAt(0))) this.#refuse(`Expected a value, found ${this.#found(start)}`, start, context);
    if (isReserved(value)) this.#refuse(`Expected a value, found the word ${value}; put it in quotes to use it as text`, start, context);
    return [value];
  }

  #found(at = this.#scan.at): string {
    const token = this.#scan.tokenAt(at);
    return token === '' ? 'the end' : quoted(token);
  }

  #refuse(message: string, position = this.#scan.at, context: { field?: string; operator?: Operator } = {}): never {
    throw new FilterError(message, { position, ...context });
  }
}

const isReserved = (word: string): boolean => ['and', 'or', 'not'].includes(word.toLowerCase());
