/** What is being typed after `@` in a comment. */
interface Person {
  name: string;
  email: string;
}

export interface MentionQuery {
  /** Where the `@` is. */
  start: number;
  words: string;
}

const shownMax = 6;

/** Null where the caret is not behind an `@` that begins a word. */
export function mentionQueryAt(text: string, caret: number): MentionQuery | null {
  const line = text.slice(text.lastIndexOf('\n', caret - 1) + 1, caret);
  // The last one that begins a word: an address has another in it.
  const found = /^(?:.*[\s([{,;:])?@([^\s@[][^[]{0,60})?$/.exec(line);
  if (!found) return null;
  const words = found[1] ?? '';
  return { start: caret - words.length - 1, words };
}

/** People whose address, or a word of whose name, begins with what was typed. */
export function matchingPeople<P extends Person>(people: readonly P[], { words }: MentionQuery): readonly P[] {
  const wanted = words.toLowerCase();
  const begins = ({ name, email }: P) => {
    const lower = name.toLowerCase();
    return lower.startsWith(wanted) || email.toLowerCase().startsWith(wanted) || lower.split(' ').some((word) => word.startsWith(wanted));
  };
  return people.filter(begins).slice(0, shownMax);
}

/** The text with the name in place of what was typed, and where the caret is then. */
export function withName(text: string, { start, words }: MentionQuery, name: string): { text: string; caret: number } {
  const before = `${text.slice(0, start)}@${name} `;
  return { text: before + text.slice(start + 1 + words.length).replace(/^ /, ''), caret: before.length };
}
