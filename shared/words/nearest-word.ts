/** What somebody may have meant by a word that is none of those there are. */

/** Longer ones are no slips of the pen, and comparing them costs time. */
const lengthMax = 64;

/** What is measured or named, without its unit: who forgets the unit may slip in the rest, too. */
const bare = (word: string): string => plain(word.replace(/_(?:ms|id|at)$/, ''));

const plain = (word: string): string => word.toLowerCase().replace(/[^a-z0-9]/g, '');

/**
 * The one word that is near enough: the same but for case and punctuation, the only one that begins or ends with it, or one a slip or two
 * away. Null when there is none.
 * @param synonyms words of other products and what they are here
 */
export function nearestWord(written: string, words: readonly string[], synonyms: Readonly<Record<string, string>> = {}): string | null {
  if (written === '' || written.length > lengthMax) return null;
  const synonym = Object.hasOwn(synonyms, written.toLowerCase()) ? synonyms[written.toLowerCase()] : undefined;
  if (synonym !== undefined && words.includes(synonym)) return synonym;
  const asked = plain(written);
  if (asked === '') return null;
  const same = words.find((word) => plain(word) === asked);
  if (same !== undefined) return same;
  const startsAlike = (word: string): number => (plain(word)[0] === asked[0] ? 1 : 0);
  const slips = asked.length < 3 ? 0 : asked.length < 5 ? 1 : 2;
  const ranked = words
    .map((word) => ({ word, distance: Math.min(distanceOf(asked, plain(word)), distanceOf(asked, bare(word))) }))
    .filter(({ distance, word }) => distance <= slips && distance < plain(word).length)
    .sort((a, b) => a.distance - b.distance || startsAlike(b.word) - startsAlike(a.word));
  if (ranked[0]) return ranked[0].word;
  const containing = asked.length < 2 ? [] : words.filter((word) => plain(word).startsWith(asked) || plain(word).endsWith(asked));
  return containing.length === 1 ? (containing[0] ?? null) : null;
}

/** What a message says of it, with a question mark and a blank before it; '' when there is nothing near. */
export function didYouMean(written: string, words: readonly string[], synonyms?: Readonly<Record<string, string>>): string {
  const word = nearestWord(written, words, synonyms);
  return word === null || word === written ? '' : `, did you mean ${word}?`;
}

/** Letters to insert, drop, replace or swap with the next one (optimal string alignment). */
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
