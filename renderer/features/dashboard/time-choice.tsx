import { type FormEvent, useState } from 'react';
import { rangeLabel } from '../../model/time/time-range.ts';
import { Popup } from '../../ui/overlays/popup.tsx';
import { Button } from '../../ui/primitives/button.tsx';
import { useKeys } from '../../ui/primitives/keys.tsx';
import { Segmented } from '../../ui/primitives/segmented.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { type DashboardView, type Range, ranges } from './url.ts';

const choices = ranges.map((id) => ({ id, label: id.replace(/(\d+)(\w)/, '$1 $2') }));

interface TimeChoiceProps {
  view: DashboardView;
  onTime: (time: Pick<DashboardView, 'range' | 'from' | 'to'>) => void;
}

/** The last hour to ninety days, or any two times. */
export function TimeChoice({ view: { range = '24h', from, to }, onTime }: TimeChoiceProps) {
  const isChosen = from !== undefined && to !== undefined;
  const choose = (next: Range) => onTime({ range: next === '24h' ? undefined : next });
  useKeys('Dashboard', [
    { on: ['r'], label: 'Next time range', run: () => choose(ranges[(ranges.indexOf(range) + 1) % ranges.length] ?? '24h') },
  ]);
  return (
    <span className="flex shrink-0 gap-2">
      <Segmented<Range | ''> label="Time range" options={choices} value={isChosen ? '' : range} onChange={(next) => next && choose(next)} />
      <CustomTime from={from} to={to} onTime={(time) => onTime({ range: undefined, ...time })} />
    </span>
  );
}

const twoDigits = (value: number) => String(value).padStart(2, '0');

/** The value of a field for a local date and time. */
function fieldValue(ms: number): string {
  const at = new Date(ms);
  const day = `${at.getFullYear()}-${twoDigits(at.getMonth() + 1)}-${twoDigits(at.getDate())}`;
  return `${day}T${twoDigits(at.getHours())}:${twoDigits(at.getMinutes())}`;
}

interface CustomTimeProps {
  from: number | undefined;
  to: number | undefined;
  onTime: (time: { from: number; to: number }) => void;
}

function CustomTime({ from, to, onTime }: CustomTimeProps) {
  const [isOpen, setOpen] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const isChosen = from !== undefined && to !== undefined;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const [start, end] = ['from', 'to'].map((name) => Date.parse(String(data.get(name)))) as [number, number];
    // Also true for a field that is empty.
    if (!(start < end) || start < 0) return setProblem('The end must be after the start.');
    setProblem(null);
    setOpen(false);
    onTime({ from: start, to: end });
  };
  return (
    <Popup
      label="Custom time range"
      isOpen={isOpen}
      onOpenChange={setOpen}
      className="w-form p-2"
      trigger={
        <Button pressed={isChosen} className="tabular-nums">
          {isChosen ? rangeLabel({ from, to }) : 'Custom…'}
        </Button>
      }
    >
      <form onSubmit={submit} className="grid gap-2">
        {(['from', 'to'] as const).map((name) => (
          <label key={name} className="grid gap-1 text-fg-3 text-label">
            {name === 'from' ? 'From' : 'To'}
            <input
              type="datetime-local"
              name={name}
              required
              defaultValue={fieldValue((name === 'from' ? from : to) ?? Date.now() - (name === 'from' ? 86_400_000 : 0))}
              className="h-control rounded-control border border-line-2 bg-transparent px-2 text-fg text-row"
            />
          </label>
        ))}
        {problem && (
          <Text as="p" tone="err" size="label">
            {problem}
          </Text>
        )}
        <Button submit primary>
          Show
        </Button>
      </form>
    </Popup>
  );
}
