import { Link, useNavigate } from '@tanstack/react-router';
import { Square, SquareCheck } from 'lucide-react';
import { useState } from 'react';
import { asFailure } from '../../api/failure.ts';
import { count } from '../../model/text/format.ts';
import { exactly, when } from '../../model/time/time.ts';
import { type Column, DataList } from '../../ui/lists/data-list.tsx';
import { Button, linkButton } from '../../ui/primitives/button.tsx';
import { DetailHeader } from '../../ui/primitives/detail-header.tsx';
import { EmptyState } from '../../ui/primitives/empty-state.tsx';
import { FailedState } from '../../ui/primitives/failed-state.tsx';
import { Icon } from '../../ui/primitives/icon.tsx';
import { Quantity } from '../../ui/primitives/quantity.tsx';
import { Segmented } from '../../ui/primitives/segmented.tsx';
import { SkeletonRows } from '../../ui/primitives/skeleton.tsx';
import { Split } from '../../ui/primitives/split.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { type Candidate, importMax, useCandidates } from './datasets-query.ts';
import { MappingForm } from './mapping-form.tsx';
import type { ImportSource } from './url.ts';

const choices = [
  { id: 'traces', label: 'Traces' },
  { id: 'spans', label: 'Model calls' },
] as const;

const columnsOf = (selected: ReadonlySet<string>, toggle: (id: string) => void): Column<Candidate>[] => [
  {
    id: 'selected',
    head: 'Select',
    isHeadHidden: true,
    width: 'var(--spacing-kind)',
    cell: ({ id, name }) => (
      <button
        type="button"
        aria-pressed={selected.has(id)}
        aria-label={`Select ${name}`}
        onClick={() => toggle(id)}
        className="block text-fg-3 after:absolute after:inset-0 aria-pressed:text-accent"
      >
        <Icon of={selected.has(id) ? SquareCheck : Square} />
      </button>
    ),
  },
  {
    id: 'name',
    head: 'Name',
    width: 'minmax(0, 2fr)',
    cell: ({ name }) => (
      <Text as="div" cut title={name}>
        {name || 'unnamed'}
      </Text>
    ),
  },
  {
    id: 'about',
    head: 'Content',
    isHeadHidden: true,
    width: 'minmax(0, 2fr)',
    cell: ({ about }) => (
      <Text as="div" cut size="label" tone="dim" title={about}>
        {about}
      </Text>
    ),
  },
  {
    id: 'start',
    head: 'Started',
    width: 'var(--width-when)',
    end: true,
    cell: ({ start }) => <Quantity value={when(start)} title={exactly(start)} />,
  },
];

/** Import of rows: a list to select traces or model calls, and the mapping to rows with a preview of the first row. */
export function ImportPage({ name, from }: { name: string; from: ImportSource }) {
  const navigate = useNavigate();
  const candidates = useCandidates(from);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const toggle = (id: string) =>
    setSelected((before) => {
      const after = new Set(before);
      if (!after.delete(id) && after.size < importMax) after.add(id);
      return after;
    });
  const [isMapping, setMapping] = useState(false);
  const all = candidates.data ?? [];
  const columns = columnsOf(selected, toggle);
  return (
    <>
      <title>{`Add to ${name} · Glasshouse`}</title>
      <DetailHeader
        parent={
          <Link to="/datasets" search={{ name }}>
            {name}
          </Link>
        }
        title="Add rows"
      >
        <Segmented
          label="Source of the rows"
          options={choices}
          value={from}
          onChange={(next) => void navigate({ to: '/datasets', search: { name, from: next }, replace: true })}
        />
        <span className="split:hidden">
          <Button pressed={isMapping} onClick={() => setMapping(!isMapping)}>
            Mapping
          </Button>
        </span>
        <Text
          tone="dim"
          cut
          className="ml-auto"
        >{`${count(selected.size)} selected. The newest ${importMax} are listed; one import takes at most ${importMax}.`}</Text>
      </DetailHeader>
      {candidates.isError && !candidates.data ? (
        <FailedState failure={asFailure(candidates.error, 'The list could not be loaded')} onRetry={() => void candidates.refetch()} />
      ) : (
        <Split
          isDetailWanted={isMapping}
          index={
            <DataList label="Rows to import" columns={columns} rows={all} onOpen={({ id }) => toggle(id)} listKey={from}>
              {candidates.data ? <NothingRecorded /> : <SkeletonRows label="Loading" />}
            </DataList>
          }
          detail={<MappingForm key={from} name={name} from={from} selected={all.filter(({ id }) => selected.has(id))} />}
        />
      )}
    </>
  );
}

const NothingRecorded = () => (
  <EmptyState
    title="Nothing recorded yet"
    action={
      <Link to="/setup" className={linkButton}>
        Send the first trace
      </Link>
    }
  >
    Rows are made of recorded traces and model calls, and none has arrived. They are listed here as they arrive, the newest first.
  </EmptyState>
);
