/**
 * Makes text safe for a terminal. Anybody can choose the names in traces, and terminals execute escape sequences: one in a
 * span's name could set the title, write the clipboard or hide what follows. Such characters are shown escaped.
 */
import { styleText } from 'node:util';

/** C0 and C1 controls, line separators, marks that change the direction of text, invisible characters, and unpaired surrogates. */
const unsafe = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu;

/** @param lengthMax maximum number of characters; longer text ends in an ellipsis */
export function printable(text: string, lengthMax = 2000): string {
  const cut = text.length > lengthMax ? `${text.slice(0, lengthMax - 1).toWellFormed()}…` : text;
  return cut.replace(unsafe, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

export type Colour = 'green' | 'red' | 'yellow' | 'dim';

/** Colours only where the stream is a terminal that wants them (NO_COLOR, FORCE_COLOR). */
export const coloured = (colour: Colour, text: string, stream: NodeJS.WriteStream = process.stdout): string =>
  styleText(colour, text, { stream });
