/**
 * Validates every name before any file access (docs/reference/project-files.md#names-and-paths). It sees the name decoded once: names that
 * would need further decoding, or have a special meaning on any file system, are refused on all systems.
 */
import { ProjectError } from './project-error.ts';

const charactersMax = 200;
/** Most file systems allow 255 bytes. */
const segmentBytesMax = 240;

/** Names that Windows gives to devices, whatever their extension. */
const device = /^(?:con|prn|aux|nul|clock\$|conin\$|conout\$|(?:com|lpt)[0-9¹²³])(?:\s*\.|\s*$)/i;

/** Slash lookalikes, bidirectional controls, and replacement characters. */
const misleading = /[\u2044\u2215\u29f8\u202a-\u202e\u2066-\u2069\ufffd]/;

/** Illegal characters: control characters, and those with a meaning to a file system or shell. */
function hasIllegalCharacter(name: string): boolean {
  for (const character of name) {
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x20 || (code >= 0x7f && code < 0xa0) || '\\:%<>|"?*'.includes(character)) return true;
  }
  return false;
}

/**
 * The parts of a relative path.
 * @throws ProjectError `illegal`
 */
export function legalSegments(name: string): string[] {
  const refuse = (why: string): never => {
    throw new ProjectError('illegal', why);
  };
  if (name === '') refuse('must not be empty');
  if (name.length > charactersMax) refuse(`must not be longer than ${charactersMax} characters`);
  if (!name.isWellFormed() || hasIllegalCharacter(name) || misleading.test(name)) refuse('contains a character that paths must not have');
  const segments = name.split('/');
  // Full-width dots and slashes become plain ones by normalisation.
  const folded = name.normalize('NFKC');
  if (folded.split('/').length !== segments.length) refuse('contains a character that stands for a slash');
  if (hasIllegalCharacter(folded)) refuse('contains a character that paths must not have');
  for (const segment of [...segments, ...folded.split('/')]) {
    if (segment === '') refuse('must be relative, without empty segments');
    if (/^(?:\.$|\.\.)/.test(segment)) refuse('must not contain dot segments');
    if (/[.\s]$/.test(segment) || /^\s/.test(segment)) refuse('must not have segments that begin or end in a space or end in a dot');
    if (device.test(segment)) refuse('must not name a device');
    if (new TextEncoder().encode(segment).length > segmentBytesMax) refuse('has a segment that is too long');
  }
  return segments;
}

export function isLegalName(name: string): boolean {
  try {
    legalSegments(name);
    return true;
  } catch {
    return false;
  }
}

/**
 * The path of a dataset by its name, with or without `.jsonl`.
 * @throws ProjectError `illegal`
 */
export function datasetPathOf(name: string): string {
  // The stem must be a legal name too: `nul.jsonl` would be a device, and `.jsonl` has none.
  return `${legalSegments(name.replace(/\.jsonl$/, '')).join('/')}.jsonl`;
}
