import { useState } from 'react';
import { runawayRules, runawayThresholds } from '../../../shared/contract/tracing/runaway-rules.ts';
import type { RunawayThreshold } from '../../../shared/contract/tracing/runaways.ts';
import { runawayRuleNames, runawayService } from '../../../shared/words/runaway-words.ts';
import { asFailure } from '../../api/failure.ts';
import { useMay } from '../../api/identity.ts';
import { refusalOf } from '../../api/refusal.ts';
import { useRunawayThresholds, useSetRunawayThreshold } from '../../api/runaways.ts';
import { actionsHead, type Column, DataList } from '../../ui/lists/data-list.tsx';
import { Button } from '../../ui/primitives/button.tsx';
import { EmptyState } from '../../ui/primitives/empty-state.tsx';
import { FailedState } from '../../ui/primitives/failed-state.tsx';
import { Quantity } from '../../ui/primitives/quantity.tsx';
import { RowAction } from '../../ui/primitives/row-action.tsx';
import { SkeletonRows } from '../../ui/primitives/skeleton.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { ThresholdDialog } from './threshold-dialog.tsx';
import { thresholdText } from './threshold-words.ts';

const defaults = runawayRules
  .map((rule) => `${runawayRuleNames[rule]}: ${thresholdText(rule, runawayThresholds[rule].default)}`)
  .join(' · ');

/** The thresholds of services that differ from the defaults. The defaults cannot be changed. */
export function Thresholds() {
  const thresholds = useRunawayThresholds();
  const mayWrite = useMay()('trace.write');
  const [edited, edit] = useState<RunawayThreshold | 'new' | null>(null);
  const restore = useSetRunawayThreshold();
  const rows = (thresholds.data ?? []).map((each) => ({ ...each, id: `${each.rule} ${each.service}` }));
  const columns = thresholdColumns(mayWrite ? { edit, restore: ({ service, rule }) => restore.mutate({ service, rule }) } : null);
  const setOne = mayWrite && <Button onClick={() => edit('new')}>Set a threshold…</Button>;
  const problem = refusalOf(restore.error).whole;
  if (thresholds.isError && !thresholds.data)
    return (
      <FailedState failure={asFailure(thresholds.error, 'The thresholds could not be loaded')} onRetry={() => void thresholds.refetch()} />
    );
  return (
    <>
      <div className="flex shrink-0 items-center gap-4 border-line border-b px-pad py-2 max-split:flex-wrap">
        <Text as="p" tone="dim" className="min-w-0 flex-1">{`Defaults, for all other services: ${defaults}`}</Text>
        {rows.length > 0 && setOne}
      </div>
      {problem && (
        <Text as="p" tone="err" className="px-pad py-2">
          {problem}
        </Text>
      )}
      <DataList label="Thresholds" columns={columns} rows={rows} onOpen={(row) => mayWrite && edit(row)} listKey="">
        {thresholds.data ? (
          <EmptyState title="All services have the default thresholds" action={setOne}>
            A service with long or expensive runs can have its own thresholds, or turn a rule off. “Not a runaway” in the banner turns the
            rule off for the service of that run.
          </EmptyState>
        ) : (
          <SkeletonRows label="Loading the thresholds" />
        )}
      </DataList>
      {edited && <ThresholdDialog saved={edited === 'new' ? null : edited} onClose={() => edit(null)} />}
    </>
  );
}

interface Acts {
  edit: (threshold: RunawayThreshold) => void;
  restore: (threshold: RunawayThreshold) => void;
}

type Row = RunawayThreshold & { id: string };

const aboutRow = ({ rule, service }: Row) => `${runawayRuleNames[rule]} of ${runawayService(service)}`;

const thresholdColumns = (acts: Acts | null): Column<Row>[] => [
  {
    id: 'service',
    head: 'Service',
    width: 'minmax(0, 2fr)',
    cell: ({ service }) => (
      <Text as="div" cut title={runawayService(service)}>
        {runawayService(service)}
      </Text>
    ),
  },
  { id: 'rule', head: 'Rule', width: 'minmax(0, 2fr)', cell: ({ rule }) => <Text tone="quiet">{runawayRuleNames[rule]}</Text> },
  {
    id: 'threshold',
    head: 'Threshold',
    width: 'minmax(0, 1fr)',
    end: true,
    cell: ({ rule, threshold }) => <Quantity value={thresholdText(rule, threshold)} />,
  },
  ...(acts === null
    ? []
    : [
        {
          ...actionsHead,
          id: 'actions',
          width: 'var(--width-name)',
          cell: (row: Row) => (
            <span className="flex justify-end">
              <RowAction label={`Change ${aboutRow(row)}`} onClick={() => acts.edit(row)}>
                Change
              </RowAction>
              <RowAction label={`Restore default: ${aboutRow(row)}`} onClick={() => acts.restore(row)}>
                Restore default
              </RowAction>
            </span>
          ),
        },
      ]),
];
