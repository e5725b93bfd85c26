/** A list for what one model call is given, or answers. What exceeds the size is left out: a span of that size would be refused. */
import type { InputMessage, MessagePart } from './messages.ts';

const itemsMax = 2000;
/** UTF-16 code units. */
const charsMax = 20 * 1024 * 1024;

export class BoundedList<T> {
  readonly items: T[] = [];
  readonly #charsOf: (item: T) => number;
  #chars = 0;

  /** @param charsOf the length of the texts of an item */
  constructor(charsOf: (item: T) => number) {
    this.#charsOf = charsOf;
  }

  add(item: T): void {
    const chars = this.#charsOf(item);
    if (this.items.length >= itemsMax || this.#chars + chars > charsMax) return;
    this.items.push(item);
    this.#chars += chars;
  }
}

const charsOfPart = (part: MessagePart): number =>
  part.type !== 'tool_call'
    ? part.content.length
    : typeof part.arguments === 'string'
      ? part.arguments.length
      : JSON.stringify(part).length;

const sum = <T>(items: readonly T[], charsOf: (item: T) => number): number => items.reduce((chars, item) => chars + charsOf(item), 0);

export const boundedInput = () =>
  new BoundedList<InputMessage>((message) =>
    message.role === 'user' ? sum(message.parts, charsOfPart) : sum(message.results, ({ text }) => text.length),
  );
export const boundedOutput = () => new BoundedList<MessagePart>(charsOfPart);
export const boundedTexts = () => new BoundedList<string>((text) => text.length);
