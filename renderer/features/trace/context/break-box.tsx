import clsx from 'clsx';
import { Unplug } from 'lucide-react';
import type { ChangedText } from '../../../../shared/contract/tracing/context-windows.ts';
import { cost, duration, tokens } from '../../../model/text/format.ts';
import { milliseconds } from '../../../model/time/time.ts';
import {
  type BreakKind,
  breakOf,
  breakPlace,
  changedLines,
  waitedLonger,
  whatChanged,
  whatToDo,
} from '../../../model/trace/context-breaks.ts';
import { Icon } from '../../../ui/primitives/icon.tsx';
import { Segmented } from '../../../ui/primitives/segmented.tsx';
import { Text } from '../../../ui/primitives/text.tsx';
import type { Chosen } from './use-chosen.ts';

const heads: Record<BreakKind | 'harmless', string> = {
  broke: 'The cache broke here',
  expired: 'The cache was not read here',
  changed: 'The prompt changed here',
  harmless: 'The prompt changed here',
};

const diffs = [
  { id: 'words', label: 'Words', hint: 'l' },
  { id: 'lines', label: 'Lines', hint: 'l' },
] as const;

interface BreakBoxProps {
  chosen: Chosen;
  diff: 'words' | 'lines';
  onDiff: () => void;
}

/** Where the prompt of the chosen call diverges from the previous one, what changed, what it cost, and what to do. */
export function BreakBox({ chosen: { window, call }, diff, onDiff }: BreakBoxProps) {
  const kind = breakOf(call) ?? (call.divergence ? 'harmless' : null);
  if (kind === null) return null;
  const isLoss = kind === 'broke' || kind === 'expired';
  const place = breakPlace(window, call);
  const text = call.divergence?.text ?? null;
  return (
    <section
      aria-label={heads[kind]}
      className={clsx(
        'grid shrink-0 gap-1.5 border-line border-t border-l-2 py-2.5 pr-pad pl-2.5 text-row',
        isLoss ? 'border-l-warm' : 'border-l-line',
      )}
    >
      <header className={clsx('flex items-center gap-2', isLoss && 'text-warm')}>
        <Icon of={Unplug} />
        <h3 className="font-strong text-body">{heads[kind]}</h3>
        <span className="flex-1" />
        {text && <Segmented label="Difference by" options={diffs} value={diff} onChange={(to) => to !== diff && onDiff()} />}
      </header>
      {place && (
        <Text size="label" tone="dim" className="wrap-anywhere">
          {place}
        </Text>
      )}
      {text ? <Changed text={text} diff={diff} /> : <p>{whatChanged(window, call)}</p>}
      {call.cache_loss && <Loss window={window} call={call} />}
      {isLoss && <p className="text-fg-2">{whatToDo(window, call)}</p>}
      {kind === 'changed' && <p className="text-fg-2">Cached tokens were not reported, so it is not known whether this cost anything.</p>}
      {kind === 'harmless' && <p className="text-fg-2">As much was read from the cache as before, so nothing was lost.</p>}
    </section>
  );
}

const pieceStyles = {
  same: '',
  added: 'rounded-key bg-added text-ok no-underline',
  removed: 'rounded-key bg-removed text-err line-through',
};
const tags = { same: 'span', added: 'ins', removed: 'del' } as const;

function Changed({ text, diff }: { text: ChangedText; diff: 'words' | 'lines' }) {
  return (
    <pre className="wrap-anywhere grid max-h-image grid-cols-[auto_minmax(0,1fr)] gap-x-2 overflow-y-auto whitespace-pre-wrap rounded-control border border-line bg-panel px-2 py-1.5 leading-(--spacing-code-row)">
      {changedLines(text, diff).map(({ number, pieces }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line is identified by its position
        <span key={at} className="contents">
          <span aria-hidden="true" className="select-none text-right text-fg-3">
            {number}
          </span>
          <span>
            {pieces.map(({ kind, text: piece }, index) => {
              const Tag = tags[kind];
              return (
                // biome-ignore lint/suspicious/noArrayIndexKey: a piece is identified by its position
                <Tag key={index} className={pieceStyles[kind]}>
                  {piece}
                </Tag>
              );
            })}
          </span>
        </span>
      ))}
    </pre>
  );
}

function Loss({ window, call: { cache_loss, ...call } }: Pick<Chosen, 'window' | 'call'>) {
  if (!cache_loss) return null;
  const waited = waitedLonger(window, { ...call, cache_loss });
  const about = cache_loss.is_estimate ? 'About ' : '';
  return (
    <p>
      {call.divergence ? 'From here on ' : about}
      <b className="font-strong">{`${call.divergence ? about.toLowerCase() : ''}${tokens(cache_loss.tokens)} tokens`}</b>
      {' were paid in full instead of read from the cache'}
      {cache_loss.cost !== null && (
        <>
          {': '}
          <b className="font-strong text-warm">{`${cost(cache_loss.cost)} more`}</b>
        </>
      )}
      {'. '}
      {waited >= 100 &&
        `The first token took ${duration(milliseconds(call.first_token_ms ?? 0))} instead of ${duration(milliseconds(window.usual_first_token_ms ?? 0))}. `}
      {!call.divergence &&
        `The prompt only continued the previous one, ${duration(milliseconds(cache_loss.pause_ms))} after that call ended.`}
    </p>
  );
}
