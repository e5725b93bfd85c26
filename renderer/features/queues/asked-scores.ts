/** The score names of the form of a queue: a list with commas. */
import { nearestWord } from '../../../shared/words/nearest-word.ts';

export const scoreNamesIn = (text: string): string[] =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);

/** Adds a name to the list, or removes it. */
export function toggledScore(text: string, name: string): string {
  const names = scoreNamesIn(text);
  return (names.includes(name) ? names.filter((other) => other !== name) : [...names, name]).join(', ');
}

/** What is probably a typo of a configured score: it would become a score of its own. Empty when there is none. */
export function misspeltScores(text: string, configured: readonly string[]): string {
  const guesses = scoreNamesIn(text).flatMap((name) => {
    const near = configured.includes(name) ? null : nearestWord(name, configured);
    return near === null ? [] : `${name} is a new score; did you mean ${near}?`;
  });
  return guesses.join(' ');
}
