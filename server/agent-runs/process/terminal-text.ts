/**
 * Characters that terminals do not show: colours, titles and other escape sequences, and NUL. Linear in the length for any text, unlike
 * `stripVTControlCharacters`.
 */
const unshown = new RegExp(
  [
    // Control sequences, such as colours.
    String.raw`(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]?`,
    // Titles and links, up to their terminator.
    String.raw`\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)?`,
    String.raw`\u001b[ -/]*[0-~]?`,
    String.raw`\u0000`,
  ].join('|'),
  'g',
);

/** More than is ever shown of a line. */
const shownBytesMax = 64 * 1024;

/** The text of a line as people read it; only the beginning of a very long one. */
export const shownText = (line: Buffer): string => line.toString('utf8', 0, shownBytesMax).replace(/\r$/, '').replace(unshown, '');
