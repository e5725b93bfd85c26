/** Shares the reported input tokens of a call out among the parts of its prompt. */

export interface TokenShares {
  /** One for each part; with `other` they add up to what was reported. */
  tokens: number[];
  /** Tokens of which no text was recorded. */
  other: number;
}

export interface SharedPart {
  /** Estimate of its tokens. */
  weight: number;
  /** Its share in the call before; null for a part that entered. */
  before: number | null;
}

/** Text for which more tokens than this were reported, in its own estimated tokens, is not all of the prompt. */
const weightFactorMax = 1.7;
const unrecordedMin = 200;
/** How far a count may be from the estimate, and still be believed to be that of the parts that entered. */
const [tolerance, toleranceTokens] = [2, 50];

/**
 * Parts keep their share of the call before, and those that entered have the rest: the difference of two reported counts. Where that cannot be, all
 * parts are shared out by their estimates.
 */
export function shareTokens(reported: number | null, parts: readonly SharedPart[], before: TokenShares | null): TokenShares {
  if (reported === null) return { tokens: parts.map(({ weight }) => weight), other: 0 };
  const other = before?.other ?? 0;
  const kept = before && parts.some((part) => part.before !== null) ? keepShares(reported - other, parts) : null;
  if (kept) return { tokens: kept, other };
  const weights = parts.map(({ weight }) => weight);
  const all = sum(weights);
  if (other > 0 && isNear(reported - other, all)) return { tokens: shareOut(reported - other, weights), other };
  return reported > all * weightFactorMax + unrecordedMin
    ? { tokens: weights, other: reported - all }
    : { tokens: shareOut(reported, weights), other: 0 };
}

function keepShares(tokens: number, parts: readonly SharedPart[]): number[] | null {
  const stayed = parts.filter(({ before }) => before !== null);
  const entered = parts.filter(({ before }) => before === null);
  const kept = sum(stayed.map(({ before }) => before ?? 0));
  const rest = tokens - kept;
  const scale = kept / Math.max(1, sum(stayed.map(({ weight }) => weight)));
  const weights = entered.map(({ weight }) => weight);
  if (rest < 0 || (entered.length === 0 && rest > 0) || !isNear(rest, sum(weights) * scale)) return null;
  const shares = shareOut(rest, weights).values();
  return parts.map(({ before }) => before ?? (shares.next().value as number));
}

const isNear = (tokens: number, estimate: number): boolean =>
  tokens >= estimate / tolerance - toleranceTokens && tokens <= estimate * tolerance + toleranceTokens;

/** Whole numbers in proportion to the weights that add up to the total. */
export function shareOut(total: number, weights: readonly number[]): number[] {
  const all = sum(weights);
  let [passed, given] = [0, 0];
  return weights.map((weight, at) => {
    passed += weight;
    const upTo = at === weights.length - 1 ? total : Math.min(total, Math.round((total * passed) / Math.max(1, all)));
    const share = upTo - given;
    given = upTo;
    return share;
  });
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
