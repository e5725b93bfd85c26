/** What the calls of a window say about its cache, its bill and its limit, in words. */
import type { ContextCall, ContextPart, ContextWindow } from '../../../shared/contract/tracing/context-windows.ts';
import { capital, cost, count, duration, percent, plural, tokens } from '../text/format.ts';
import { milliseconds } from '../time/time.ts';
import { breakOf, breaksOf, waitedLonger, whatChanged } from './context-breaks.ts';
import { type Heaviest, partName } from './context-parts.ts';

export interface ContextVerdict {
  about: 'cache' | 'carried' | 'peak';
  label: string;
  figure: string;
  detail: string;
  isBad: boolean;
  /** The call and the part that show it. */
  call?: number;
  part?: number;
}

export const contextVerdicts = (window: ContextWindow, heaviest: Heaviest): ContextVerdict[] => [
  cacheVerdict(window),
  carriedVerdict(window, heaviest),
  peakVerdict(window),
];

export const costOfLoss = ({ cache_loss }: ContextCall): number => cache_loss?.cost ?? 0;

/** The break that cost most, or else lost most tokens. */
export function worstBreak(window: ContextWindow): number | undefined {
  const weight = (index: number) => {
    const call = window.calls[index] as ContextCall;
    return costOfLoss(call) * 1e12 + (call.cache_loss?.tokens ?? 0);
  };
  return breaksOf(window).reduce<number | undefined>(
    (worst, each) => (worst === undefined || weight(each) > weight(worst) ? each : worst),
    undefined,
  );
}

/** `$0.167 and 4.1 s`; tokens where the cost is not known. */
function lostText(window: ContextWindow, calls: readonly ContextCall[]): string {
  const money = calls.reduce((sum, call) => sum + costOfLoss(call), 0);
  const lost = calls.reduce((sum, { cache_loss }) => sum + (cache_loss?.tokens ?? 0), 0);
  const waited = calls.reduce((sum, call) => sum + waitedLonger(window, call), 0);
  const paid = money > 0 ? cost(money) : plural(lost, 'token').replace(count(lost), tokens(lost));
  return waited >= 100 ? `${paid} and ${duration(milliseconds(waited))}` : paid;
}

function cacheVerdict(window: ContextWindow): ContextVerdict {
  const { calls } = window;
  const about = 'cache';
  const breaks = breaksOf(window).map((index) => calls[index] as ContextCall);
  const losses = breaks.filter(({ cache_loss }) => cache_loss !== null);
  const worst = worstBreak(window);
  const worstCall = worst === undefined ? undefined : calls[worst];
  if (worst !== undefined && worstCall && losses.length > 0) {
    const said = breakOf(worstCall) === 'expired' ? 'The prompt had not changed: the cache expired.' : whatChanged(window, worstCall);
    const label = losses.length === 1 ? `Cache broke at call ${worst + 1}` : `Cache broke ${count(losses.length)} times`;
    const detail = losses.length === 1 ? said : `Worst at call ${worst + 1}. ${said}`;
    return { about, label, figure: `${lostText(window, losses)} lost`, detail, isBad: true, call: worst };
  }
  const reported = calls.filter(({ cached_tokens }) => cached_tokens !== null);
  if (reported.length === 0) {
    const changed = worst === undefined ? '' : ` ${whatChanged(window, calls[worst] as ContextCall)}`;
    const label = worst === undefined ? 'Cache' : `Prompt changed at call ${worst + 1}`;
    const detail = `No call reported tokens read from a cache.${changed}`;
    return { about, label, figure: 'Not reported', detail, isBad: false, ...(worst !== undefined && { call: worst }) };
  }
  if (calls.length === 1)
    return { about, label: 'Cache', figure: 'One call', detail: 'There is no previous call to compare it with.', isBad: false };
  const sum = (of: (call: ContextCall) => number | null) => reported.reduce((total, call) => total + (of(call) ?? 0), 0);
  const share =
    sum((call) => call.cached_tokens) /
    Math.max(
      1,
      sum((call) => call.input_tokens),
    );
  const detail =
    share > 0
      ? `${percent(Math.min(1, share))} of all input was read from the cache.`
      : 'Nothing was read from the cache: caching may be off.';
  return { about, label: 'Cache', figure: `${share > 0 ? 'Held' : 'No loss'} in all ${count(calls.length)} calls`, detail, isBad: false };
}

function carriedVerdict(window: ContextWindow, { rows, isOfCost }: Heaviest): ContextVerdict {
  const about = 'carried';
  const [row] = rows;
  if (!row) return { about, label: 'Heaviest part', figure: 'Not known', detail: 'No message of these calls was recorded.', isBad: false };
  const part = window.parts[row.part] as ContextPart;
  const { name, note } = partName(part);
  const isNamed = part.origin === 'system' || part.origin === 'tool_definitions';
  const label = row.calls > 1 ? `Carried through ${count(row.calls)} calls` : 'Heaviest part';
  const figure = `${percent(row.share)} of ${isOfCost ? 'the bill' : 'all input'}`;
  return {
    about,
    label,
    figure,
    detail: isNamed ? name : `${part.name && part.origin === 'tool_result' ? note : capital(note)}: ${name}`,
    isBad: false,
    part: row.part,
    call: row.entered,
  };
}

/** Fewer calls do not show a growth. */
const growthMin = 3;

function peakVerdict(window: ContextWindow): ContextVerdict {
  const { calls, limit_tokens: limit, peak } = window;
  const about = 'peak';
  const at = { label: `Peak at call ${count(peak + 1)}`, isBad: false, call: peak };
  const most = promptTokens(calls[peak]);
  if (most === 0) return { about, ...at, label: 'Peak', figure: 'Not known', detail: 'No call reported its input tokens.' };
  const growth = growthOf(calls);
  const grows = growth > 0 ? `Grows by ${tokens(growth)} a call` : '';
  if (limit === null)
    return {
      about,
      ...at,
      figure: `${tokens(most)} tokens`,
      detail: grows ? `${grows}; the limit is not known.` : 'The limit of this model is not known.',
    };
  const figure = `${percent(most / limit)} of the window`;
  const full =
    growth > 0 && most < limit ? calls.length + Math.ceil((limit - promptTokens(calls.at(-1))) / growth) : Number.POSITIVE_INFINITY;
  const ends = full <= 10 * calls.length ? `; full at call ${count(full)}` : '';
  return { about, ...at, figure, detail: grows ? `${grows}${ends}.` : `${tokens(most)} of ${tokens(limit)} tokens.` };
}

/** All tokens of the prompt of a call, reported or else estimated. */
export const promptTokens = (call: ContextCall | undefined): number =>
  call ? (call.input_tokens ?? call.tokens.reduce((sum, each) => sum + each, call.other_tokens)) : 0;

/** Tokens by which the prompt grew per call; 0 if it did not grow or too few calls show it. */
function growthOf(calls: readonly ContextCall[]): number {
  const known = calls.filter((call) => promptTokens(call) > 0);
  if (known.length < growthMin) return 0;
  return Math.max(0, (promptTokens(known.at(-1)) - promptTokens(known[0])) / (known.length - 1));
}
