import { ChevronDown, X } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { rangeDetail, rangeLabel, rangeWords, recentRanges, type TimeRange } from '../../model/time-range.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { MenuItem, MenuLayer } from '../../ui/menu.tsx';

/** Which stretch of time the list shows. */
export function RangeMenu({ range, onRange }: { range: TimeRange; onRange: (range: TimeRange) => void }) {
  const isWhole = range.last === undefined && range.from === undefined && range.to === undefined;
  return (
    <span className="flex shrink-0">
      <DropdownMenu.Root>
        <DropdownMenu.Trigger asChild>
          <Button title={rangeDetail(range) || 'Time range'} pressed={!isWhole} className="tabular-nums">
            {rangeLabel(range)}
            <Icon of={ChevronDown} size="small" />
          </Button>
        </DropdownMenu.Trigger>
        <MenuLayer>
          <MenuItem isOn={isWhole} onSelect={() => onRange({})}>
            All time
          </MenuItem>
          {recentRanges.map((last) => (
            <MenuItem key={last} isOn={range.last === last} onSelect={() => onRange({ last })}>
              {rangeWords(last)}
            </MenuItem>
          ))}
        </MenuLayer>
      </DropdownMenu.Root>
      {!isWhole && (
        <IconButton label="Show all time" onClick={() => onRange({})}>
          <Icon of={X} size="small" />
        </IconButton>
      )}
    </span>
  );
}
