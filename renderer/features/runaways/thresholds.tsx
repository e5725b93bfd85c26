import { useState } from 'react';
import type { RunawayRule } from '../../../shared/contract/tracing/runaway-rules.ts';
import { runawayRules, runawayThresholds } from '../../../shared/contract/tracing/runaway-rules.ts';
import type { RunawayThreshold } from '../../../shared/contract/tracing/runaways.ts';
import { runawayRuleNames } from '../../../shared/words/runaway-words.ts';
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

const ofAllServices = runawayRules
  .map((rule) => `${runawayRuleNames[rule]}: ${thresholdText(rule, runawayThresholds[rule].default)}`)
  .join(' · ');

/** The thresholds of single services. Those of all others are fixed. */
export function Thresholds() {
  const thresholds = useRunawayThresholds();
  const mayWrite = useMay()('trace.write');
  const [edited, edit] = useState<RunawayThreshold | 'new' | null>(null);
  const restore = useSetRunawayThreshold(() => {});
  const rows = (thresholds.data ?? []).map((each) => ({ ...each, id: `${each.rule} ${each.service}` }));
  const columns = thresholdColumns(mayWrite ? { edit, restore: ({ service, rule }) => restore.mutate({ service, rule }) } : null);
  const setOne = mayWrite && <Button onClick={() => edit('new')}>Set for a service…</Button>;
  const problem = refusalOf(restore.error).whole;
  if (thresholds.isError && !thresholds.data)
    return (
      <FailedState failure={asFailure(thresholds.error, 'The thresholds could not be loaded')} onRetry={() => void thresholds.refetch()} />
    );
  return (
    <>
      <div className="flex shrink-0 items-center gap-4 border-line border-b px-pad py-2 max-split:flex-wrap">
        <Text as="p" tone="dim" className="min-w-0 flex-1">{`Of all other services: ${ofAllServices}`}</Text>
        {rows.length > 0 && setOne}
      </div>
      {problem && (
        <Text as="p" tone="err" className="px-pad py-2">
          {problem}
        </Text>
      )}
      <DataList label="Thresholds" columns={columns} rows={rows} onOpen={(row) => mayWrite && edit(row)} listKey="">
        {thresholds.data ? (
          <EmptyState title="All services have the same thresholds" action={setOne}>
            A service whose runs are long or expensive can have others, or do without a rule. “Not a runaway” in the banner turns a rule off
            for the service of the run.
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

const serviceOf = ({ service }: RunawayThreshold) => service || 'Spans without a service';
const ruleOf = (rule: RunawayRule) => runawayRuleNames[rule];

const thresholdColumns = (acts: Acts | null): Column<Row>[] => [
  {
    id: 'service',
    head: 'Service',
    width: 'minmax(0, 2fr)',
    cell: (row) => (
      <Text as="div" cut title={serviceOf(row)}>
        {serviceOf(row)}
      </Text>
    ),
  },
  { id: 'rule', head: 'Rule', width: 'minmax(0, 2fr)', cell: ({ rule }) => <Text tone="quiet">{ruleOf(rule)}</Text> },
  {
    id: 'threshold',
    head: 'Threshold',
    width: 'var(--width-name)',
    end: true,
    cell: ({ rule, threshold }) => <Quantity value={thresholdText(rule, threshold)} />,
  },
  {
    id: 'default',
    head: 'Other services',
    width: 'var(--width-name)',
    end: true,
    wideOnly: true,
    cell: ({ rule }) => <Quantity value={thresholdText(rule, runawayThresholds[rule].default)} />,
  },
  ...(acts === null
    ? []
    : [
        {
          ...actionsHead,
          id: 'actions',
          width: 'max-content',
          cell: (row: Row) => (
            <span className="flex justify-end">
              <RowAction label={`Change ${ruleOf(row.rule)} of ${serviceOf(row)}`} onClick={() => acts.edit(row)}>
                Change
              </RowAction>
              <RowAction label={`Restore default: ${ruleOf(row.rule)} of ${serviceOf(row)}`} onClick={() => acts.restore(row)}>
                Restore default
              </RowAction>
            </span>
          ),
        },
      ]),
];
