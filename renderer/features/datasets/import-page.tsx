import { Link, useNavigate } from '@tanstack/react-router';
import { Square, SquareCheck } from 'lucide-react';
import { useMemo, useState } from 'react';
import { asFailure } from '../../api/failure.ts';
import { count } from '../../model/text/format.ts';
import { exactly, when } from '../../model/time/time.ts';
import { type Column, DataList } from '../../ui/lists/data-list.tsx';
import { Button } from '../../ui/primitives/button.tsx';
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

const columnsOf = (chosen: ReadonlySet<string>, toggle: (id: string) => void): Column<Candidate>[] => [
  {
    id: 'chosen',
    head: '',
    width: 'var(--spacing-kind)',
    cell: ({ id, name }) => (
      <button
        type="button"
        aria-pressed={chosen.has(id)}
        aria-label={`Choose ${name}`}
        onClick={() => toggle(id)}
        className="block text-fg-3 after:absolute after:inset-0 aria-pressed:text-accent"
      >
        <Icon of={chosen.has(id) ? SquareCheck : Square} />
      </button>
    ),
  },
  {
    id: 'name',
    head: 'name',
    width: 'minmax(0, 2fr)',
    cell: ({ name }) => (
      <Text as="div" cut title={name}>
        {name || 'unnamed'}
      </Text>
    ),
  },
  {
    id: 'about',
    head: '',
    width: 'minmax(0, 2fr)',
    cell: ({ about }) => (
      <Text as="div" cut size="label" tone="dim" title={about}>
        {about}
      </Text>
    ),
  },
  {
    id: 'start',
    head: 'start',
    width: 'var(--width-when)',
    end: true,
    cell: ({ start }) => <Quantity value={when(start)} title={exactly(start)} />,
  },
];

/** Selected by search parameter, for example from the page of a span: `trace:span`, or a trace id. */
const named = (ids: string | undefined): Candidate[] =>
  (ids?.split(',') ?? []).map((id) => {
    const [traceId = '', spanId = ''] = id.split(':');
    return { id, traceId, spanId, name: spanId || traceId, about: 'chosen before', start: '' };
  });

/** Import of many rows: the selection on the left becomes rows by the mapping on the right, with a preview of the first row. */
export function ImportPage({ name, from, ids }: { name: string; from: ImportSource; ids: string | undefined }) {
  const navigate = useNavigate();
  const candidates = useCandidates(from);
  const given = useMemo(() => named(ids), [ids]);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set(given.map(({ id }) => id)));
  const toggle = (id: string) =>
    setChosen((before) => {
      const after = new Set(before);
      if (!after.delete(id) && after.size < importMax) after.add(id);
      return after;
    });
  const [isMapping, setMapping] = useState(false);
  const listed = candidates.data ?? [];
  const all = [...given.filter(({ id }) => !listed.some((each) => each.id === id)), ...listed];
  const columns = columnsOf(chosen, toggle);
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
          label="Rows are made of"
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
        >{`${count(chosen.size)} chosen of the newest ${importMax}; one import takes ${importMax}`}</Text>
      </DetailHeader>
      {candidates.isError && !candidates.data ? (
        <FailedState failure={asFailure(candidates.error, 'There is nothing to choose from')} onRetry={() => void candidates.refetch()} />
      ) : (
        <Split
          isDetailWanted={isMapping}
          index={
            <DataList label="Rows to import" columns={columns} rows={all} onOpen={({ id }) => toggle(id)} listKey={from}>
              {candidates.data ? <EmptyState title="Nothing was recorded yet" /> : <SkeletonRows label="Loading" />}
            </DataList>
          }
          detail={<MappingForm key={from} name={name} from={from} chosen={all.filter(({ id }) => chosen.has(id))} />}
        />
      )}
    </>
  );
}
