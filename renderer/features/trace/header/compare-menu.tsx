import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { GitCompare } from 'lucide-react';
import { useState } from 'react';
import type { ListedTrace } from '../../../../shared/contract/tracing/trace-list.ts';
import { gateway } from '../../../api/client.ts';
import { spellValue } from '../../../model/filter/filter-text.ts';
import { duration } from '../../../model/text/format.ts';
import { milliseconds, when } from '../../../model/time/time.ts';
import { compareGroupsLabel } from '../../../model/trace/group-words.ts';
import { errorsInside, errorsInsideText, isFailed } from '../../../model/trace/outcome.ts';
import { Action, ActionMenu } from '../../../ui/overlays/action-menu.tsx';
import { IconButton } from '../../../ui/primitives/button.tsx';
import { Icon } from '../../../ui/primitives/icon.tsx';
import { useKeys } from '../../../ui/primitives/keys.tsx';

const offeredMax = 9;
const gcTime = 60_000;

function outcomeOf(trace: ListedTrace): string {
  if (isFailed(trace)) return 'failed';
  return errorsInside(trace) > 0 ? errorsInsideText(errorsInside(trace)) : 'no errors';
}

interface CompareMenuProps {
  traceId: string;
  name: string;
  start: string;
}

/** Other runs of the same name to compare this one with, the previous one first. */
export function CompareMenu({ traceId, name, start }: CompareMenuProps) {
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState(false);
  useKeys('Whole trace', [{ on: ['c'], label: 'Compare with another run', run: () => setOpen(true) }]);
  const { data, isError } = useQuery({
    queryKey: ['compare', 'others', name],
    queryFn: async () =>
      (await gateway.traceList.rows({ query: { filter: `name = ${spellValue(name)}`, limit: offeredMax + 1 } })).data.rows,
    enabled: isOpen && name !== '',
    gcTime,
  });
  const others = (data ?? []).filter(({ id }) => id !== traceId);
  const isBefore = (other: { start: string }) => Date.parse(other.start) <= Date.parse(start);
  const offered = [...others.filter(isBefore), ...others.filter((other) => !isBefore(other))].slice(0, offeredMax);
  const open = (other: { id: string; start: string }) => {
    const [a, b] = isBefore(other) ? [other.id, traceId] : [traceId, other.id];
    void navigate({ to: '/compare', search: { a, b } });
  };
  const note = isError
    ? 'The other runs could not be read'
    : data || name === ''
      ? 'No other run has this name'
      : 'Looking for other runs…';
  return (
    <ActionMenu
      label="Compare with another run"
      trigger={
        <IconButton label="Compare with another run (c)">
          <Icon of={GitCompare} />
        </IconButton>
      }
      isOpen={isOpen}
      onOpenChange={setOpen}
    >
      {offered.length > 0 && (
        <Action
          label={compareGroupsLabel}
          about="what separates those of this name"
          onSelect={() => void navigate({ to: '/compare', search: { a_filter: `name = ${spellValue(name)} and errors > 0` } })}
        />
      )}
      {offered.map((other) => (
        <Action
          key={other.id}
          label={when(other.start)}
          about={[isBefore(other) ? 'before' : 'after', outcomeOf(other), duration(milliseconds(other.latency_ms))].join(' · ')}
          onSelect={() => open(other)}
        />
      ))}
      {offered.length === 0 && <Action label="" about={note} isDisabled />}
    </ActionMenu>
  );
}
