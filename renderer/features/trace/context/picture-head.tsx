import { count, tokens } from '../../../model/text/format.ts';
import { columnsMax, type FillTone, type Scale } from '../../../model/trace/context-plot.ts';
import { Button, IconButton } from '../../../ui/primitives/button.tsx';
import { Segmented } from '../../../ui/primitives/segmented.tsx';
import { Text } from '../../../ui/primitives/text.tsx';
import { PartSwatch } from './tones.tsx';
import type { Chosen } from './use-chosen.ts';
import { zoomed } from './use-context-keys.ts';

const units = [
  { id: 'tokens', label: 'Tokens', hint: 'v' },
  { id: 'cost', label: 'Cost', hint: 'v' },
] as const;

interface PictureHeadProps {
  chosen: Chosen;
  scale: Scale;
  /** Opens the chosen call. */
  onOpen: () => void;
}

/** Title, legend, unit and range of the picture. */
export function PictureHead({ chosen, scale, onOpen }: PictureHeadProps) {
  const { window, by, bands } = chosen;
  const legend: readonly { tone: FillTone; name: string }[] =
    by === 'tokens'
      ? [...bands.legend, ...(window.calls.length > 1 ? [{ tone: 'entered', name: 'New in this call' } as const] : [])]
      : [
          { tone: 'cost', name: 'Cost of the call' },
          ...(window.calls.some(({ cache_loss }) => cache_loss?.cost)
            ? [{ tone: 'lost', name: 'Lost when the cache broke' } as const]
            : []),
        ];
  return (
    <div className="grid shrink-0 gap-1.5 px-pad pt-2.5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Text as="h2" size="body" strong>
          {by === 'tokens' ? 'What fills the window' : 'What the calls cost'}
        </Text>
        <span className="flex-1" />
        <RangeOfCalls chosen={chosen} />
        {/* In a narrow window the chosen call and its button are below the picture, out of sight. */}
        <span className="@beside:hidden">
          <Button onClick={onOpen}>{`Open call ${count(chosen.index + 1)}`}</Button>
        </span>
        <Segmented label="Columns show" options={units} value={by} onChange={chosen.setBy} />
      </div>
      <div className="flex items-start gap-4">
        <ul aria-label="Legend" className="flex min-w-0 flex-1 flex-wrap gap-x-3 gap-y-0.5 text-fg-2 text-label">
          {legend.map(({ tone, name }) => (
            <li key={tone} className="flex min-w-0 items-center gap-1.5">
              <PartSwatch tone={tone} />
              <span className="max-w-(--width-name) truncate">{name}</span>
            </li>
          ))}
        </ul>
        {by === 'tokens' && <LimitName chosen={chosen} scale={scale} />}
        {by === 'cost' && window.cost === 0 && <span className="shrink-0 text-fg-3 text-label">No call has a known price</span>}
      </div>
    </div>
  );
}

function LimitName({ chosen: { window }, scale }: Omit<PictureHeadProps, 'onOpen'>) {
  if (window.limit_tokens === null) return null;
  return scale.hasLimit ? (
    <span className="shrink-0 text-err text-label">{`Limit of ${window.model}`}</span>
  ) : (
    <span className="shrink-0 text-fg-3 text-label tabular-nums">{`${window.model} has room for ${tokens(window.limit_tokens)}`}</span>
  );
}

function RangeOfCalls({ chosen }: { chosen: Chosen }) {
  const { window, range, setRange } = chosen;
  const calls = window.calls.length;
  if (calls <= columnsMax) return null;
  const isWhole = range.from === 0 && range.to === calls - 1;
  return (
    <span className="flex items-center gap-1 text-fg-2 text-label tabular-nums">
      <span className="pr-1">
        {isWhole
          ? `${count(calls)} calls. Drag to pick some`
          : `Calls ${count(range.from + 1)} to ${count(range.to + 1)} of ${count(calls)}`}
      </span>
      <IconButton label="Fewer calls (+)" onClick={() => setRange(zoomed(chosen, 0.5))}>
        +
      </IconButton>
      <IconButton label="More calls (-)" disabled={isWhole} onClick={() => setRange(zoomed(chosen, 2))}>
        −
      </IconButton>
      {!isWhole && (
        <Button hint="0" onClick={() => setRange(null)}>
          All calls
        </Button>
      )}
    </span>
  );
}
