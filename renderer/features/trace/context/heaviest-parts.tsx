import clsx from 'clsx';
import { useState } from 'react';
import type { ContextPart } from '../../../../shared/contract/tracing/context-windows.ts';
import { cost, count, percent, plural, tokens } from '../../../model/text/format.ts';
import { type HeavyPart, partName } from '../../../model/trace/context-parts.ts';
import { PartSwatch, toneColours } from './tones.tsx';
import type { Chosen } from './use-chosen.ts';

const shownMax = 5;
const columns =
  'grid grid-cols-[minmax(0,1fr)_var(--width-count)_var(--width-duration)_var(--width-count)_var(--width-total)_minmax(0,var(--width-name))] items-center gap-x-3 px-pad @max-roomy:grid-cols-[minmax(0,1fr)_var(--width-duration)_var(--width-count)_var(--width-count)]';

/** The parts that weigh most over all calls. A row lights its band in the picture. */
export function HeaviestParts({ chosen }: { chosen: Chosen }) {
  const { heaviest, window } = chosen;
  const [isWhole, setWhole] = useState(false);
  if (heaviest.rows.length === 0) return null;
  const shown = isWhole ? heaviest.rows : heaviest.rows.slice(0, shownMax);
  const most = heaviest.rows[0]?.share ?? 1;
  return (
    <section aria-label="Heaviest over the run" className="shrink-0 border-line border-t pb-2">
      <div className={clsx(columns, 'h-row border-line border-b text-fg-3 text-label')}>
        <h3>Heaviest over the run</h3>
        <span className="num @max-roomy:hidden">Entered</span>
        <span className="num">Carried</span>
        <span className="num">Tokens</span>
        <span className="num @max-roomy:hidden">Cost</span>
        <span className="truncate">{heaviest.isOfCost ? `Share of ${cost(window.cost)}` : 'Share of all input'}</span>
      </div>
      {shown.map((row) => (
        <HeavyRow key={row.part} row={row} most={most} chosen={chosen} />
      ))}
      {shown.length < heaviest.rows.length && (
        <button type="button" onClick={() => setWhole(true)} className="min-h-row px-pad text-accent text-row hover:underline">
          {`Show all ${count(heaviest.rows.length)} parts`}
        </button>
      )}
    </section>
  );
}

function HeavyRow({ row, most, chosen }: { row: HeavyPart; most: number; chosen: Chosen }) {
  const { part, entered, calls, tokens: size, cost: price, share } = row;
  const { name, note } = partName(chosen.window.parts[part] as ContextPart);
  const isOn = chosen.part === part;
  const tone = chosen.bands.toneOf[part] ?? 'other';
  return (
    <button
      type="button"
      aria-pressed={isOn}
      onClick={() => chosen.selectPart(isOn ? null : part)}
      className={clsx(columns, 'h-row w-full text-left text-row hover:bg-hover aria-pressed:bg-select')}
    >
      <span className="flex min-w-0 items-center gap-2" title={note ? `${name}, ${note}` : name}>
        <PartSwatch tone={tone} />
        <span className="min-w-0 truncate">
          <span className="font-medium">{name}</span> <span className="text-fg-3">{note}</span>
        </span>
      </span>
      <span className="num text-fg-3 @max-roomy:hidden">{`call ${count(entered + 1)}`}</span>
      <span className="num text-fg-2">{plural(calls, 'call')}</span>
      <span className="num text-fg-2">{tokens(size)}</span>
      <span className="num text-fg-2 @max-roomy:hidden">{price === null ? '—' : cost(price)}</span>
      <span className="flex min-w-0 items-center gap-2">
        <span aria-hidden="true" className="h-1.5 min-w-0 flex-1 bg-raised @max-roomy:hidden">
          <span
            className={clsx('block h-full bg-current', isOn ? toneColours[tone] : 'text-function')}
            style={{ width: `${(share / Math.max(most, 1e-9)) * 100}%` }}
          />
        </span>
        <span className="num w-10 font-medium">{percent(share)}</span>
      </span>
    </button>
  );
}
