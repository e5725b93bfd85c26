import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useMemo, useState } from 'react';
import { asFailure, isNotFound } from '../../api/failure.ts';
import { useMay, useWhyNot } from '../../api/identity.ts';
import { useServed } from '../../api/served.ts';
import { count, plural } from '../../model/text/format.ts';
import { DataList } from '../../ui/lists/data-list.tsx';
import { Button } from '../../ui/primitives/button.tsx';
import { Card } from '../../ui/primitives/card.tsx';
import { CopyIcon } from '../../ui/primitives/copy-button.tsx';
import { DetailHeader } from '../../ui/primitives/detail-header.tsx';
import { EmptyState } from '../../ui/primitives/empty-state.tsx';
import { FailedState } from '../../ui/primitives/failed-state.tsx';
import { SkeletonRows } from '../../ui/primitives/skeleton.tsx';
import { Split } from '../../ui/primitives/split.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { useBack } from '../../ui/primitives/use-back.ts';
import { JsonView } from '../../ui/viewers/json-view.tsx';
import { AppendDialog } from './append-dialog.tsx';
import { rowColumns } from './columns.tsx';
import { type NumberedRow, useRows } from './datasets-query.ts';
import { RunDialog } from './run-dialog.tsx';
import type { DatasetsView } from './url.ts';

/** One dataset: its rows, the selected row, and actions to add rows. */
export function DatasetPage({ view, name }: { view: DatasetsView; name: string }) {
  const navigate = useNavigate();
  const rows = useRows(name);
  const [isAdding, setAdding] = useState(false);
  const isRunServed = useServed()('experiment_runs');
  const mayRun = useMay()('worker.run') && isRunServed;
  const whyNot = useWhyNot()('dataset.write');
  const columns = useMemo(() => rowColumns(name), [name]);
  const show = (change: Partial<DatasetsView>) => void navigate({ to: '/datasets', search: { name, ...change }, replace: true });
  useBack('Dataset', '/datasets', view.row === undefined ? null : () => show({}));
  const isEmpty = rows.data ? rows.data.length === 0 : isNotFound(rows.error);
  const addRow = (
    <Button whyNot={whyNot} onClick={() => setAdding(true)}>
      Add a row
    </Button>
  );
  const open = rows.data?.find(({ line }) => line === (view.row ?? 0));
  return (
    <>
      <title>{`${name} · Glasshouse`}</title>
      <DetailHeader parent={<Link to="/datasets">Datasets</Link>} title={name}>
        <span className="ml-auto flex shrink-0 items-center gap-2">
          {rows.data && <Text tone="dim">{plural(rows.data.length, 'row')}</Text>}
          <Button whyNot={whyNot} onClick={() => show({ from: 'spans' })}>
            Add from spans
          </Button>
          <Button whyNot={whyNot} onClick={() => show({ from: 'traces' })}>
            Add from traces
          </Button>
          {!isEmpty && addRow}
          {mayRun && (
            <Button primary onClick={() => show({ run: 'experiment' })}>
              Run experiment
            </Button>
          )}
        </span>
      </DetailHeader>
      {rows.isError && !rows.data && !isNotFound(rows.error) ? (
        <FailedState failure={asFailure(rows.error, 'The rows could not be loaded')} onRetry={() => void rows.refetch()} />
      ) : (
        <Split
          isDetailWanted={view.row !== undefined}
          index={
            <DataList
              label="Rows"
              columns={columns}
              rows={rows.data ?? []}
              selected={open?.id ?? null}
              onOpen={({ line }) => show({ row: line })}
              listKey={name}
            >
              {rows.isPending ? <SkeletonRows label="Loading rows" /> : <NoRows add={addRow} />}
            </DataList>
          }
          detail={open && <RowDetail row={open} total={rows.data?.length ?? 0} onClose={() => show({})} />}
        />
      )}
      {mayRun && view.run && <RunDialog dataset={name} rows={rows.data?.length ?? null} onClose={() => show({})} />}
      {isAdding && <AppendDialog name={name} onClose={() => setAdding(false)} onAdded={(_, row) => show({ row })} />}
    </>
  );
}

const NoRows = ({ add }: { add: ReactNode }) => (
  <EmptyState title="No rows yet" action={add}>
    A row is one example: an input and, if there is one, the expected output. Add one by hand, or make rows of recorded traces and spans.
  </EmptyState>
);

const parts = [
  ['input', 'Input'],
  ['expected_output', 'Expected output'],
  ['metadata', 'Metadata'],
] as const;

const isEmpty = (value: unknown) => value === undefined || value === null || (typeof value === 'object' && Object.keys(value).length === 0);

function RowDetail({ row: { line, row }, total, onClose }: { row: NumberedRow; total: number; onClose: () => void }) {
  return (
    <>
      <div className="flex h-header shrink-0 items-center gap-2 border-line border-b px-4">
        <Text size="section" strong>{`Row ${count(line)}`}</Text>
        <Text tone="dim">{`of ${plural(total, 'row')}, counted from 0`}</Text>
        <span className="ml-auto split:hidden">
          <Button onClick={onClose}>Back to rows</Button>
        </span>
        <span className="ml-auto hidden split:block">
          <CopyIcon text={() => JSON.stringify(row, null, 2)} label="Copy row as JSON" />
        </span>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
      <section aria-label="Row" tabIndex={0} className="grid min-h-0 flex-1 content-start gap-2.5 overflow-y-auto p-4">
        {parts.map(([key, label]) => (
          <Card
            key={key}
            head={label}
            actions={!isEmpty(row[key]) && <CopyIcon text={() => textOf(row[key])} label={`Copy ${label.toLowerCase()}`} />}
          >
            {isEmpty(row[key]) ? <Text tone="dim">None</Text> : <JsonView value={row[key]} open={3} />}
          </Card>
        ))}
      </section>
    </>
  );
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value, null, 2));
