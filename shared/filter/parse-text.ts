/**
 * The string form (docs/reference/filters.md#text-form), read in one pass from left to right. No regular expression is applied to the text,
 * so hostile input takes time in proportion to its length and no more.
 */
import { nearestWord } from '../words/nearest-word.ts';
import { dynamicFields, filterLimits, findField, kindRules, type Operator, type Resource } from './fields.ts';
import { FilterError, quoted } from './filter-error.ts';
import type { Clause, Filter, Predicate } from './filter-tree.ts';
import { buildPredicate, checkField, checkOperator, nearestField, type WrittenPredicate } from './predicate.ts';
import { Scanner } from './scanner.ts';
import { foreignOperators, operatorSynonyms, spellOperator, symbolOperators, wordOperators } from './spelling.ts';

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
  #depth = 0;

  constructor(resource: Resource, text: string) {
    this.#resource = resource;
    this.#scan = new Scanner(text);
  }

  filter(): Filter {
    const scan = this.#scan;
    scan.skipBlank();
    if (scan.atEnd) this.#refuse('The filter is empty');
    if (scan.char === '[' || scan.char === '{') this.#refuse('The JSON form of filters is for POST bodies; write field operator value');
    const filter = this.#alternatives();
    if (!scan.atEnd) this.#refuse('There is no ( for this )');
    return filter;
  }

  /** Up to the end or a closing parenthesis. */
  #alternatives(): Filter {
    const filters = [this.#conjunction()];
    while (this.#scan.takeWord('or')) filters.push(this.#conjunction());
    const [first] = filters as [Filter];
    if (filters.length === 1) return first;
    return { clauses: [filters.flatMap((filter): Clause => (filter.clauses.length === 1 ? (filter.clauses[0] as Clause) : [filter]))] };
  }

  #conjunction(): Filter {
    const scan = this.#scan;
    const clauses: Clause[] = [];
    for (let isOpen = true; isOpen; ) {
      clauses.push(...this.#term());
      scan.skipBlank();
      isOpen = scan.takeWord('and') || !(scan.atEnd || scan.char === ')' || isWord(scan.peekWord(), 'or'));
    }
    return { clauses };
  }

  #term(): readonly Clause[] {
    const scan = this.#scan;
    scan.skipBlank();
    if (scan.char === '(') return this.#group().clauses;
    const start = scan.at;
    if (isQuote(scan.char)) return [[this.#words(start, scan.quoted() ?? this.#refuse('Unterminated quote'))]];
    const word = scan.word();
    if (word === '' || isWord(word, 'and') || isWord(word, 'or'))
      this.#refuse(`Expected a field or a word, found ${this.#found(start)}`, start);
    if (word === 'NOT') {
      this.#refuse('NOT stands before contains and in only. To leave out a word, write text not contains word', start);
    }
    const predicate = this.#shortPredicate(start, word) ?? this.#predicate(start, word);
    if (predicate === null) return [this.#separated([this.#words(start, word)])];
    if (isDelimiter(scan.char)) {
      this.#refuse(`Expected and, or, or the end, found ${this.#found()}; a value with such a character needs quotes`);
    }
    return [[predicate]];
  }

  #group(): Filter {
    const scan = this.#scan;
    const start = scan.at;
    if (++this.#depth > filterLimits.depth) this.#refuse(`Groups are more than ${filterLimits.depth} deep`);
    scan.take('(');
    scan.skipBlank();
    if (scan.char === ')') this.#refuse('A group needs at least one predicate');
    const filter = this.#alternatives();
    if (!scan.take(')')) this.#refuse(`The group that begins at ${start} has no )`);
    this.#depth--;
    return filter;
  }

  /** A comma between words is no more than a blank. */
  #separated(clause: Clause): Clause {
    while (this.#scan.take(','));
    return clause;
  }

  #words(position: number, value: string): Predicate {
    this.#count(position, 'text');
    const written: WrittenPredicate = {
      resource: this.#resource,
      form: 'text',
      field: 'text',
      positions: { field: position, value: position },
    };
    return buildPredicate(written, 'contains', [value]);
  }

  /** `field:value`. Null when the word is none: `https://…`, `Error: …`. */
  #shortPredicate(start: number, word: string): Predicate | null {
    const colon = word.indexOf(':');
    const field = word.slice(0, Math.max(colon, 0));
    const hasValue = colon < word.length - 1 || isQuote(this.#scan.char);
    if (field === '' || !hasValue || !this.#isMeant(field)) return null;
    this.#scan.back(word.length - colon - 1);
    return this.#build(start, field, start + colon, 'equals');
  }

  /** Null when what follows the word is no operator. */
  #predicate(start: number, field: string): Predicate | null {
    const scan = this.#scan;
    const end = scan.at;
    scan.skipBlank();
    const at = scan.at;
    for (const [symbol, operator] of symbolOperators) if (scan.take(symbol)) return this.#build(start, field, at, operator);
    const known = findField(this.#resource, field);
    for (const [words, operator] of wordOperators) {
      if (!scan.takeWords(words)) continue;
      if (this.#isOperator(operator) && this.#isMeant(field)) return this.#build(start, field, at, operator);
      break;
    }
    scan.back(scan.at - at);
    const next = scan.tokenAt(at);
    if (known && foreignOperators.has(next.toLowerCase())) this.#refuseOperator(field, at, next);
    scan.back(at - end);
    return null;
  }

  /** `in` is also a word, so that it needs its list. */
  #isOperator(operator: Operator): boolean {
    this.#scan.skipBlank();
    return (operator !== 'in' && operator !== 'notIn') || this.#scan.char === '(';
  }

  /** Whether a name before a colon or a word such as `exists` is that of a field, maybe misspelt. */
  #isMeant(name: string): boolean {
    if (findField(this.#resource, name) || dynamicFields[this.#resource].some(({ prefix }) => name.startsWith(prefix))) return true;
    return nearestField(this.#resource, name) !== null;
  }

  #build(start: number, field: string, operatorAt: number, operator: Operator): Predicate {
    this.#count(start, field);
    const written: WrittenPredicate = { resource: this.#resource, form: 'text', field, positions: { field: start, operator: operatorAt } };
    checkField(written);
    checkOperator(written, operator);
    this.#scan.skipBlank();
    written.positions.value = this.#scan.at;
    return buildPredicate(written, operator, this.#values(field, operator));
  }

  #count(position: number, field: string): void {
    if (++this.#predicates <= filterLimits.predicates) return;
    this.#refuse(`Too many words and predicates: at most ${filterLimits.predicates}. Words in quotes are one`, position, { field });
  }

  #refuseOperator(field: string, at: number, token: string): never {
    const { kind } = checkField({ resource: this.#resource, form: 'text', field, positions: {} });
    const allowed: readonly Operator[] = kindRules[kind];
    const nearest = nearestWord(token, allowed, operatorSynonyms);
    const list = allowed.map((operator) => spellOperator(operator, 'text')).join(', ');
    const guess = nearest ? `, did you mean ${spellOperator(nearest as Operator, 'text')}?` : '.';
    return this.#refuse(`Expected an operator after ${quoted(field)}, found ${quoted(token)}${guess} Use one of: ${list}`, at, { field });
  }

  #values(field: string, operator: Operator): string[] {
    const scan = this.#scan;
    const context = { field, operator };
    switch (operator) {
      case 'exists':
      case 'doesNotExist':
        if (isQuote(scan.char)) {
          this.#refuse(`${spellOperator(operator, 'text')} takes no value, found ${this.#found()}`, scan.at, context);
        }
        return [];
      case 'in':
      case 'notIn':
        return this.#list(context);
      case 'between': {
        const lower = this.#value(context);
        scan.skipBlank();
        if (!scan.takeWord('and')) this.#refuse(`Expected and with the upper bound, found ${this.#found()}`, scan.at, context);
        return [lower, this.#value(context)];
      }
      default:
        return [this.#value(context)];
    }
  }

  #list(context: { field: string; operator: Operator }): string[] {
    const scan = this.#scan;
    const start = scan.at;
    if (!scan.take('(')) this.#refuse(`Expected a list in parentheses, found ${this.#found()}`, start, context);
    const values = [this.#value(context)];
    for (scan.skipBlank(); scan.take(','); scan.skipBlank()) values.push(this.#value(context));
    if (!scan.take(')')) this.#refuse(`Expected , or ) in the list, found ${this.#found()}`, scan.at, context);
    if (values.length > filterLimits.listValues) this.#refuse(`A list takes at most ${filterLimits.listValues} values`, start, context);
    return values;
  }

  #value(context: { field: string; operator: Operator }): string {
    const scan = this.#scan;
    scan.skipBlank();
    const start = scan.at;
    if (isQuote(scan.char)) return scan.quoted() ?? this.#refuse('Unterminated quote', start, context);
    const value = scan.bare();
    if (value === '' || '=!<>'.includes(value.charAt(0))) this.#refuse(`Expected a value, found ${this.#found(start)}`, start, context);
    if (isReserved(value)) this.#refuse(`Expected a value, found the word ${value}; put it in quotes to use it as text`, start, context);
    return value;
  }

  #found(at = this.#scan.at): string {
    const token = this.#scan.tokenAt(at);
    return token === '' ? 'the end' : quoted(token);
  }

  #refuse(message: string, position = this.#scan.at, context: { field?: string; operator?: Operator } = {}): never {
    throw new FilterError(message, { position, ...context });
  }
}

const isQuote = (char: string): boolean => char === '"' || char === "'";
const isDelimiter = (char: string): boolean => char !== '' && '("\','.includes(char);
const isWord = (found: string, word: string): boolean => found.length === word.length && found.toLowerCase() === word;
const isReserved = (word: string): boolean => ['and', 'or', 'not'].includes(word.toLowerCase());
