/**
 * What reaches a terminal. Names in traces are written by anybody, and a terminal obeys what it is shown: an escape sequence in a
 * span's name could set the title, write the clipboard or hide what follows. So it is shown as what it is.
 */
import { styleText } from 'node:util';

/** C0 and C1 controls, line separators, marks that turn the direction of text, invisible ones, and halves of characters. */
const unsafe = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu;

/** @param lengthMax characters, after which there is an ellipsis */
export function printable(text: string, lengthMax = 2000): string {
  const cut = text.length > lengthMax ? `${text.slice(0, lengthMax - 1).toWellFormed()}…` : text;
  return cut.replace(unsafe, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

export type Colour = 'green' | 'red' | 'yellow' | 'dim';

/** Colours only where `stdout` is a terminal that wants them (NO_COLOR, FORCE_COLOR). */
export const coloured = (colour: Colour, text: string): string => styleText(colour, text, { stream: process.stdout });
