import clsx from 'clsx';
import type { ReactNode } from 'react';
import type { ContextCall } from '../../../../shared/contract/tracing/context-windows.ts';
import { cost, count, percent, tokens } from '../../../model/text/format.ts';
import { breakOf, breaksOf } from '../../../model/trace/context-breaks.ts';
import { labelledCalls, prunedTokens } from '../../../model/trace/context-plot.ts';
import { promptTokens, worstBreak } from '../../../model/trace/context-verdicts.ts';
import type { Chosen } from './use-chosen.ts';
import type { Layout } from './window-picture.tsx';

interface RowsProps {
  chosen: Chosen;
  layout: Layout;
}

/** The share of the input that was read from the cache; a first call has nothing to read. */
function cachedText({ cached_tokens, input_tokens, compared_with }: ContextCall): string {
  if (cached_tokens === null || !input_tokens || (compared_with === null && cached_tokens === 0)) return '—';
  return percent(Math.min(1, cached_tokens / input_tokens));
}

/** In one unit for the whole row: `$0.04`, or `0.9 ¢` where all calls are cheap. */
function costTexts(calls: readonly ContextCall[]): (call: ContextCall) => string {
  const isCheap = Math.max(0, ...calls.map(({ cost: price }) => price ?? 0)) < 0.095;
  return ({ cost: price }) => {
    if (price === null) return '—';
    if (price === 0) return '$0';
    if (isCheap) return price < 0.001 ? '<0.1 ¢' : `${(price * 100).toFixed(1)} ¢`;
    return price < 0.005 ? '<1 ¢' : price < 10 ? `$${price.toFixed(2)}` : cost(price);
  };
}

/** The widest figure, so that none leaves the picture. */
const labelPx = 38;

/** Number, cached share and cost of each call, in line with its column. */
export function FigureRows({ chosen, layout }: RowsProps) {
  const { window, range, index } = chosen;
  // In narrow columns the figures of a break stand beside its line.
  const isNarrow = layout.step < labelPx;
  const labelled = labelledCalls(window.calls, range, index, layout.step, isNarrow ? 1.5 * labelPx : labelPx);
  const middleOf = (at: number) =>
    layout.xOf(at) + layout.step / 2 + (isNarrow && breakOf(window.calls[at] as ContextCall) ? labelPx / 2 : 0);
  const row = (head: string, cell: (call: ContextCall, at: number) => ReactNode, isNumber = false) => (
    <div className="flex h-5.5 items-center">
      <span className="w-14 shrink-0 pr-2 text-right">{head}</span>
      <div className="relative min-w-0 flex-1">
        {labelled.map((at) => {
          const call = window.calls[at] as ContextCall;
          return (
            <span
              key={at}
              className={clsx(
                'absolute -translate-x-1/2 -translate-y-1/2 whitespace-nowrap',
                isNumber && at === index
                  ? 'font-strong text-accent'
                  : breakOf(call) && call.cache_loss && !isNumber
                    ? 'font-medium text-warm'
                    : 'text-fg-2',
              )}
              style={{ left: Math.min(layout.width - labelPx / 2, Math.max(labelPx / 2, middleOf(at))) }}
            >
              {cell(call, at)}
            </span>
          );
        })}
      </div>
    </div>
  );
  return (
    <div aria-hidden="true" className="shrink-0 pb-1 text-fg-3 text-label tabular-nums">
      {row('Call', (_, at) => count(at + 1), true)}
      {row('Cached', cachedText)}
      {row('Cost', costTexts(window.calls))}
    </div>
  );
}

/** A line through picture and figures at each break. The chosen one has a label, or else the worst. */
export function BreakLines({ chosen, layout }: RowsProps) {
  const { window, range, index } = chosen;
  const breaks = breaksOf(window).filter((at) => at >= range.from && at <= range.to);
  const named = breaks.includes(index) ? index : worstBreak(window);
  return breaks.map((at) => {
    const isLoss = window.calls[at]?.cache_loss !== null;
    const x = layout.xOf(at);
    return (
      <div
        key={at}
        aria-hidden="true"
        className={clsx('pointer-events-none absolute inset-y-0 border-l-2', isLoss ? 'border-warm' : 'border-fg-3 border-dashed')}
        // Beside the names of the rows.
        style={{ left: `calc(14 * var(--spacing) + ${x - 1}px)` }}
      >
        {at === named && (
          <span
            className={clsx(
              'absolute top-8 whitespace-nowrap rounded-key px-1.5 font-medium text-label text-on-kind leading-text',
              isLoss ? 'bg-warm' : 'bg-fg-3',
              x > 110 ? 'right-1.5' : 'left-1',
            )}
          >
            {isLoss ? (window.calls[at]?.divergence ? 'Cache broke here' : 'Cache not read') : 'Prompt changed'}
          </span>
        )}
      </div>
    );
  });
}

const prunedPx = 96;

/** What was left out, above the columns where it was. */
export function PrunedLabels({ chosen: { window, range, index }, layout }: RowsProps) {
  const gap = Math.ceil(prunedPx / Math.max(1, layout.step));
  const shown: number[] = [];
  const pruned = window.calls.flatMap((call, at) => (at >= range.from && at <= range.to && prunedTokens(window, call) > 0 ? at : []));
  // The chosen call comes first, so that it is never the one without room.
  for (const at of pruned.toSorted((a, b) => Number(b === index) - Number(a === index) || a - b))
    if (shown.every((other) => Math.abs(other - at) >= gap)) shown.push(at);
  return shown.map((at) => {
    const call = window.calls[at] as ContextCall;
    return (
      <span
        key={at}
        aria-hidden="true"
        className={clsx(
          'pointer-events-none absolute whitespace-nowrap rounded-key bg-bg px-1 text-fg-2 text-label tabular-nums',
          layout.xOf(at) > layout.width - prunedPx && '-translate-x-full',
        )}
        style={{ left: layout.xOf(at) + 6, bottom: layout.yOf(promptTokens(call)) + 4 }}
      >
        {`−${tokens(prunedTokens(window, call))} ${call.summary === null ? 'pruned' : 'summarised'}`}
      </span>
    );
  });
}
