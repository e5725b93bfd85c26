import { Equal, Minus, Pencil, Plus } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { ContextCall, ContextPart } from '../../../../shared/contract/tracing/context-windows.ts';
import { count, plural, tokens } from '../../../model/text/format.ts';
import { type GroupedPart, type GroupKind, type PartGroup, partGroups, partName } from '../../../model/trace/context-parts.ts';
import { Icon } from '../../../ui/primitives/icon.tsx';
import { Text } from '../../../ui/primitives/text.tsx';
import { PartSwatch } from './tones.tsx';
import type { Chosen } from './use-chosen.ts';

const kinds = {
  entered: { label: 'Entered', icon: Plus, tone: 'text-ok' },
  dropped: { label: 'Dropped', icon: Minus, tone: 'text-err' },
  rewritten: { label: 'Rewritten', icon: Pencil, tone: 'text-warm' },
  stayed: { label: 'Stayed', icon: Equal, tone: 'text-fg-3' },
} as const;

const shownMax = 4;

/** What happened to the parts in the chosen call. */
export function PartGroups({ chosen }: { chosen: Chosen }) {
  const { window, index, call } = chosen;
  const groups = useMemo(() => partGroups(window, index), [window, index]);
  return (
    <>
      <section aria-label="Parts of the prompt" className="shrink-0 border-line border-t py-1">
        {groups.map((group) => (
          <Group key={group.kind} group={group} chosen={chosen} />
        ))}
        {call.other_tokens > 0 && (
          <div
            className="flex h-row items-center gap-2 px-pad text-row"
            title="Input tokens of which no text was recorded, such as tool definitions"
          >
            <PartSwatch tone="other" />
            <span className="font-strong">Not recorded</span>
            <span className="num ml-auto font-medium">{tokens(call.other_tokens)}</span>
          </div>
        )}
        {call.prompt !== 'recorded' && (
          <Text as="p" tone="dim" className="px-pad py-2">
            {call.prompt === 'damaged'
              ? 'The messages of this call are damaged and cannot be read.'
              : 'The messages of this call were not recorded.'}
          </Text>
        )}
      </section>
      <p className="mt-auto border-line border-t px-pad py-2 text-fg-3 text-label">
        {call.input_tokens === null
          ? 'The provider reported no input tokens for this call: all tokens here are an estimate.'
          : 'Totals are as the provider reported them. Their split over the parts is an estimate.'}
      </p>
    </>
  );
}

function Group({ group: { kind, parts, tokens: sum }, chosen }: { group: PartGroup; chosen: Chosen }) {
  const [isWhole, setWhole] = useState(false);
  const { label, icon, tone } = kinds[kind];
  const shown = isWhole ? parts : parts.filter(({ part }, at) => at < shownMax || part === chosen.part);
  const isSummary = kind === 'dropped' && chosen.call.summary !== null;
  return (
    <section aria-label={label}>
      <h3 className="flex h-row items-center gap-2 px-pad text-row">
        <span className={tone}>
          <Icon of={icon} size="small" />
        </span>
        <span className="font-strong">{label}</span>
        <span className="text-fg-3">{`${plural(parts.length, 'part')}${isSummary ? ', summarised' : ''}`}</span>
        <span className="num ml-auto font-medium">{tokens(sum)}</span>
      </h3>
      {shown.map((grouped) => (
        <PartLine key={grouped.part} grouped={grouped} kind={kind} chosen={chosen} />
      ))}
      {shown.length < parts.length && (
        <button type="button" onClick={() => setWhole(true)} className="min-h-row px-8 text-accent text-row hover:underline">
          {`Show all ${count(parts.length)} parts`}
        </button>
      )}
    </section>
  );
}

function PartLine({ grouped: { part, tokens: size, calls }, kind, chosen }: { grouped: GroupedPart; kind: GroupKind; chosen: Chosen }) {
  const { window, bands, call } = chosen;
  const about = window.parts[part] as ContextPart;
  const { name, note } = partName(about);
  const isOn = part === chosen.part;
  return (
    <>
      <button
        type="button"
        aria-pressed={isOn}
        onClick={() => chosen.selectPart(isOn ? null : part)}
        title={note ? `${name}, ${note}` : name}
        className="flex h-6.5 w-full items-center gap-2 pr-pad pl-8 text-left text-row hover:bg-hover aria-pressed:bg-select"
      >
        <PartSwatch tone={bands.toneOf[part] ?? 'other'} />
        <span className="min-w-0 flex-1 truncate">
          {name} <span className="text-fg-3">{note}</span>
        </span>
        <span className="num text-fg-2">{tokens(size)}</span>
        <span className="num w-count text-fg-3">{sinceText(kind, part, calls, call)}</span>
      </button>
      {isOn && (
        <p className="wrap-anywhere bg-select pr-pad pb-1.5 pl-13 text-fg-2 text-label">
          {`${about.label || 'No text'} `}
          <span className="text-fg-3 tabular-nums">{`(${plural(about.characters, 'character')}, entered at call ${count(about.entered + 1)})`}</span>
        </p>
      )}
    </>
  );
}

/** `new`, `7 calls`, `2 words` */
function sinceText(kind: GroupKind, part: number, calls: number, { divergence }: ContextCall): string {
  if (kind === 'entered') return 'new';
  if (kind !== 'rewritten') return plural(calls, 'call');
  const text = divergence?.after === part ? divergence.text : null;
  if (!text || text.is_cut) return '';
  const words = (value: string) => value.split(/\s+/).filter((word) => word !== '').length;
  return plural(Math.max(1, words(text.removed), words(text.added)), 'word');
}
