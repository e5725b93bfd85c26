import { Link, useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { ComparedGroups } from '../../../shared/contract/tracing/compared-groups.ts';
import { asFailure } from '../../api/failure.ts';
import { groupNames, groupVerdict, runsOf } from '../../model/trace/group-words.ts';
import { DataList } from '../../ui/lists/data-list.tsx';
import { CopyButton, copyText } from '../../ui/primitives/copy-button.tsx';
import { DetailHeader } from '../../ui/primitives/detail-header.tsx';
import { EmptyState } from '../../ui/primitives/empty-state.tsx';
import { FailedState } from '../../ui/primitives/failed-state.tsx';
import { useKeys } from '../../ui/primitives/keys.tsx';
import { preference } from '../../ui/primitives/preferences.ts';
import { SkeletonRows } from '../../ui/primitives/skeleton.tsx';
import { Split } from '../../ui/primitives/split.tsx';
import { useBack } from '../../ui/primitives/use-back.ts';
import { FactDetail } from './fact-detail.tsx';
import { type FactRow, groupColumns } from './group-columns.tsx';
import { GroupHeads } from './group-heads.tsx';
import { useGroups } from './group-query.ts';
import { type CompareView, readCompareUrl } from './url.ts';
import { VerdictLine } from './verdict-line.tsx';

const address = () => window.location.href;

/** Two groups of runs: what separates them, and the runs that show it. */
export function GroupScreen({ view }: { view: CompareView }) {
  const navigate = useNavigate();
  const show = (fact: number | undefined) => void navigate({ to: '/compare', search: readCompareUrl({ ...view, fact }), replace: true });
  useBack('Comparison', '/traces', view.fact === undefined ? null : () => show(undefined));
  useKeys('Comparison', [{ on: ['y'], label: 'Copy the link to this comparison', run: () => void copyText(address) }]);
  const { data, error, refetch } = useGroups(view);
  return (
    <>
      <DetailHeader parent={<Link to="/traces">Traces</Link>} title="Compare groups">
        <span className="ml-auto flex items-center gap-2">
          <CopyButton text={address} label="Copy link" />
        </span>
      </DetailHeader>
      {data ? (
        <Groups groups={data} view={view} onChoose={show} />
      ) : error ? (
        <FailedState failure={asFailure(error, 'The groups could not be compared')} onRetry={() => void refetch()} />
      ) : (
        <SkeletonRows label="Comparing the groups" />
      )}
    </>
  );
}

interface GroupsProps {
  groups: ComparedGroups;
  view: CompareView;
  onChoose: (fact: number | undefined) => void;
}

function Groups({ groups, view: { fact: chosen, bookkeeping }, onChoose }: GroupsProps) {
  const { a, b, facts, is_whole } = groups;
  const names = useMemo(() => groupNames(groups), [groups]);
  const columns = useMemo(() => groupColumns(names, a.runs.length, b.runs.length), [names, a, b]);
  const rows = useMemo(() => facts.map((fact, index): FactRow => ({ id: String(index + 1), fact })), [facts]);
  const number = Math.min(chosen ?? 1, rows.length);
  const open = rows[number - 1];
  const step = (by: number) => rows.length > 0 && onChoose(Math.min(rows.length, Math.max(1, number + by)));
  useKeys('Differences', [
    { on: ['n'], label: 'Next difference', run: () => step(1) },
    { on: ['p'], label: 'Previous difference', run: () => step(-1) },
  ]);
  return (
    <>
      <GroupHeads groups={groups} names={names} />
      <VerdictLine verdict={groupVerdict(groups)} isWarm={open !== undefined} />
      <Split
        isDetailWanted={chosen !== undefined}
        width={preference.comparisonWidth}
        index={
          <>
            <DataList
              label="What separates the groups"
              columns={columns}
              rows={rows}
              selected={open?.id ?? null}
              onOpen={({ id }) => onChoose(Number(id))}
              listKey={`${a.runs[0]?.id} ${b.runs[0]?.id}`}
            >
              <EmptyState title="No difference found">
                {a.runs.length === 0 || b.runs.length === 0
                  ? 'One of the groups has no runs.'
                  : `Steps, tools, models, prompts, settings, values and errors are about as frequent in ${runsOf(names.a)} as in ${runsOf(names.b)}.`}
              </EmptyState>
            </DataList>
            <div className="flex h-row shrink-0 items-center border-line border-t px-pad text-fg-3 text-label">
              <span className="truncate">
                {is_whole
                  ? 'Each line is counted once for each run, however often the run has it.'
                  : 'Long runs are compared by their first steps. Each line is counted once for each run.'}
              </span>
            </div>
          </>
        }
        detail={open && <FactDetail {...{ groups, names, bookkeeping }} fact={open.fact} onClose={() => onChoose(undefined)} />}
      />
    </>
  );
}
