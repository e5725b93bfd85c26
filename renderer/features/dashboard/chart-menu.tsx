import { ArrowDown, ArrowUp, ChartColumn, Pin, PinOff } from 'lucide-react';
import { Popup } from '../../ui/overlays/popup.tsx';
import { Button, IconButton } from '../../ui/primitives/button.tsx';
import { Icon } from '../../ui/primitives/icon.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { type ChartId, chartIds, chartTitles } from './chart-data.ts';
import { moved } from './pinned-charts.ts';

interface ChartMenuProps {
  pinned: readonly ChartId[];
  onPinned: (pinned: readonly ChartId[]) => void;
}

/** Menu of charts: which are pinned, in which order. */
export function ChartMenu({ pinned, onPinned }: ChartMenuProps) {
  const others = chartIds.filter((id) => !pinned.includes(id));
  return (
    <Popup
      label="Charts"
      className="grid w-step"
      trigger={
        <Button title="Pin charts">
          <Icon of={ChartColumn} size="small" />
          Charts
        </Button>
      }
    >
      <ul className="grid">
        {pinned.map((id, at) => (
          <li key={id} className="flex h-row items-center px-2">
            <Text className="flex-1">{chartTitles[id]}</Text>
            <IconButton label={`Move ${chartTitles[id]} up`} disabled={at === 0} onClick={() => onPinned(moved(pinned, at, -1))}>
              <Icon of={ArrowUp} size="small" />
            </IconButton>
            <IconButton
              label={`Move ${chartTitles[id]} down`}
              disabled={at === pinned.length - 1}
              onClick={() => onPinned(moved(pinned, at, 1))}
            >
              <Icon of={ArrowDown} size="small" />
            </IconButton>
            <IconButton label={`Unpin ${chartTitles[id]}`} onClick={() => onPinned(pinned.filter((other) => other !== id))}>
              <Icon of={PinOff} size="small" />
            </IconButton>
          </li>
        ))}
        {others.map((id) => (
          <li key={id} className="flex h-row items-center px-2">
            <Text tone="dim" className="flex-1">
              {chartTitles[id]}
            </Text>
            <IconButton label={`Pin ${chartTitles[id]}`} onClick={() => onPinned([...pinned, id])}>
              <Icon of={Pin} size="small" />
            </IconButton>
          </li>
        ))}
      </ul>
    </Popup>
  );
}
