import { closingQuote, parseJson } from '../attributes.ts';
import { decodeMessages } from './message-decoder.ts';

/** Shorter lists are parsed as a whole, which is then faster. UTF-16 units. */
const LENGTH_MIN = 8192;

/**
 * The end of a long JSON list of messages, from the last user message with text. A preview needs no more, and agents repeat their whole
 * history in every call: 156 kB take 300 µs to parse and read, and 20 µs this way. Undefined when the text is short, is not a list, or
 * has no such message; the list must then be parsed as a whole.
 */
export function historyTail(text: string): unknown[] | undefined {
  if (text.length < LENGTH_MIN || !text.startsWith('[') || !text.endsWith(']')) return undefined;
  const starts = elementStarts(text);
  if (starts === undefined) return undefined;
  const tail: unknown[] = [];
  let end = text.length - 1;
  for (const start of starts.reverse()) {
    const element = parseJson(text.slice(start, end));
    const message = decodeMessages(element, 'user', false)?.[0];
    if (message === undefined) return undefined;
    tail.push(element);
    if (message.role === 'user' && message.parts.some((part) => part.type === 'text')) return tail.reverse();
    end = start - 1;
  }
  return undefined;
}

const QUOTE = 34;
const COMMA = 44;
const isOpener = (code: number): boolean => code === 91 || code === 123;
const isCloser = (code: number): boolean => code === 93 || code === 125;

/** Where the elements of a JSON list begin; undefined when brackets do not match. Strings, which are most of a history, are skipped. */
function elementStarts(text: string): number[] | undefined {
  const starts = [1];
  let depth = 0;
  for (let index = 1; index < text.length - 1; index++) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) {
      index = closingQuote(text, index);
      if (index < 0) return undefined;
    } else if (code === COMMA) {
      if (depth === 0) starts.push(index + 1);
    } else if (isOpener(code)) depth++;
    else if (isCloser(code) && --depth < 0) return undefined;
  }
  return depth === 0 ? starts : undefined;
}
