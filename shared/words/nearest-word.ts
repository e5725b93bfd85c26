/** Suggests the known word that was probably meant by an unknown one. */

/** Longer words are not typos, and comparing them takes time. */
const lengthMax = 64;

/** The word without its unit or suffix, so that a typo is found even when the unit is left out. */
const bare = (word: string): string => plain(word.replace(/_(?:ms|id|at)$/, ''));

const plain = (word: string): string => word.toLowerCase().replace(/[^a-z0-9]/g, '');

/**
 * The word that is near enough: the same except for case and punctuation, the only one that begins or ends with it, or one with at most two
 * typos. Null when there is none.
 * @param synonyms words of other products with their equivalents
 */
export function nearestWord(written: string, words: readonly string[], synonyms: Readonly<Record<string, string>> = {}): string | null {
  if (written === '' || written.length > lengthMax) return null;
  const synonym = Object.hasOwn(synonyms, written.toLowerCase()) ? synonyms[written.toLowerCase()] : undefined;
  if (synonym !== undefined && words.includes(synonym)) return synonym;
  const target = plain(written);
  if (target === '') return null;
  const same = words.find((word) => plain(word) === target);
  if (same !== undefined) return same;
  const startsAlike = (word: string): number => (plain(word)[0] === target[0] ? 1 : 0);
  const typosMax = target.length < 3 ? 0 : target.length < 5 ? 1 : 2;
  const ranked = words
    .map((word) => ({ word, distance: Math.min(distanceOf(target, plain(word)), distanceOf(target, bare(word))) }))
    .filter(({ distance, word }) => distance <= typosMax && distance < plain(word).length)
    .sort((a, b) => a.distance - b.distance || startsAlike(b.word) - startsAlike(a.word));
  if (ranked[0]) return ranked[0].word;
  const containing = target.length < 2 ? [] : words.filter((word) => plain(word).startsWith(target) || plain(word).endsWith(target));
  return containing.length === 1 ? (containing[0] ?? null) : null;
}

/** The suggestion to append to a message, such as `, did you mean cost?`; '' when no word is near. */
export function didYouMean(written: string, words: readonly string[], synonyms?: Readonly<Record<string, string>>): string {
  const word = nearestWord(written, words, synonyms);
  return word === null || word === written ? '' : `, did you mean ${word}?`;
}

/** Number of letters to insert, drop, replace or swap with the next one (optimal string alignment). */
function distanceOf(left: string, right: string): number {
  let [before, last] = [[] as number[], Array.from({ length: right.length + 1 }, (_, index) => index)];
  for (let row = 1; row <= left.length; row++) {
    const here = [row];
    for (let column = 1; column <= right.length; column++) {
      const cost = left[row - 1] === right[column - 1] ? 0 : 1;
      const [above = 0, diagonal = 0, beside = 0] = [last[column], last[column - 1], here[column - 1]];
      let best = Math.min(above + 1, beside + 1, diagonal + cost);
      const swapped = row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      if (swapped) best = Math.min(best, (before[column - 2] ?? 0) + 1);
      here.push(best);
    }
    [before, last] = [last, here];
  }
  return last[right.length] ?? 0;
}
