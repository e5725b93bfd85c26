import { Check, ChevronDown, X } from 'lucide-react';
import { useState } from 'react';
import { rangeDetail, rangeLabel, rangeWords, recentRanges, type TimeRange } from '../../model/time/time-range.ts';
import { Popup } from '../../ui/overlays/popup.tsx';
import { Button, IconButton } from '../../ui/primitives/button.tsx';
import { Icon } from '../../ui/primitives/icon.tsx';

interface RangeMenuProps {
  range: TimeRange;
  onRange: (range: TimeRange) => void;
}

/** Menu for the time range of the list. */
export function RangeMenu({ range, onRange }: RangeMenuProps) {
  const [isOpen, setOpen] = useState(false);
  const isAllTime = range.last === undefined && range.from === undefined && range.to === undefined;
  const choose = (next: TimeRange) => {
    onRange(next);
    setOpen(false);
  };
  return (
    <span className="flex shrink-0">
      <Popup
        label="Time range"
        isOpen={isOpen}
        onOpenChange={setOpen}
        className="grid min-w-side"
        trigger={
          <Button title={rangeDetail(range) || 'Time range'} pressed={!isAllTime} className="tabular-nums">
            {rangeLabel(range)}
            <Icon of={ChevronDown} size="small" />
          </Button>
        }
      >
        <Choice text="All time" isOn={isAllTime} onClick={() => choose({})} />
        {recentRanges.map((last) => (
          <Choice key={last} text={rangeWords(last)} isOn={range.last === last} onClick={() => choose({ last })} />
        ))}
      </Popup>
      {!isAllTime && (
        <IconButton label="Show all time" onClick={() => onRange({})}>
          <Icon of={X} size="small" />
        </IconButton>
      )}
    </span>
  );
}

const Choice = ({ text, isOn, onClick }: { text: string; isOn: boolean; onClick: () => void }) => (
  <button
    type="button"
    aria-pressed={isOn}
    onClick={onClick}
    className="flex h-row items-center gap-2 rounded-kind px-2 text-left text-fg-2 text-row hover:bg-select hover:text-fg"
  >
    <span className="flex-1">{text}</span>
    {isOn && <Icon of={Check} size="small" />}
  </button>
);
