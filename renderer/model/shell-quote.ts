/**
 * One word of a POSIX shell that means exactly this text, whatever it is. Single quotes give nothing a meaning but themselves; a NUL
 * cannot be an argument and is left out. Lone surrogates become U+FFFD, as they would on the way to the terminal.
 */
export function shellQuote(text: string): string {
  return `'${text.toWellFormed().replaceAll('\0', '').replaceAll("'", `'\\''`)}'`;
}
