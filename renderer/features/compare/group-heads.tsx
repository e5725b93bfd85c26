import type { ComparedGroups } from '../../../shared/contract/tracing/compared-groups.ts';
import type { ComparedRun } from '../../../shared/contract/tracing/comparison.ts';
import { median } from '../../../shared/median.ts';
import { cost, count, duration, plural, tokens } from '../../model/text/format.ts';
import { milliseconds, when } from '../../model/time/time.ts';
import { type GroupNames, runsOf } from '../../model/trace/group-words.ts';
import { Text } from '../../ui/primitives/text.tsx';

/** Both groups by size, names and time, with the median of each figure. */
export const GroupHeads = ({ groups: { a, b }, names }: { groups: ComparedGroups; names: GroupNames }) => (
  <div className="grid shrink-0 grid-cols-1 gap-2 border-line border-b px-pad py-2 split:grid-cols-2">
    <GroupHead group={a} name={names.a} />
    <GroupHead group={b} name={names.b} />
  </div>
);

function GroupHead({ group: { runs, has_more }, name }: { group: ComparedGroups['a']; name: string }) {
  const titles = [...new Set(runs.map((run) => run.name || 'unnamed'))];
  const title = titles.length > 1 ? `${titles[0]} and ${plural(titles.length - 1, 'other name')}` : titles[0];
  const times = runs.map(({ start }) => start).sort();
  const [first, last] = [times[0], times.at(-1)];
  const range = first && last ? (when(first) === when(last) ? when(last) : `${when(first)} to ${when(last)}`) : '';
  return (
    <div className="grid min-w-0 gap-0.5 rounded-card border border-line-2 px-pad py-1.5">
      <span className="flex min-w-0 items-baseline gap-2">
        <span className="shrink-0">
          <Text strong tone={name === 'failed' ? 'err' : name === 'good' ? 'ok' : 'fg'}>
            {`${count(runs.length)} ${runsOf(name, runs.length)}${has_more ? ', the newest' : ''}`}
          </Text>
        </span>
        <Text tone="quiet" cut>
          {title ?? ''}
        </Text>
      </span>
      <span className="truncate text-fg-3 text-label tabular-nums">{[range, ...medians(runs)].filter(Boolean).join(' · ')}</span>
    </div>
  );
}

function medians(runs: readonly ComparedRun[]): string[] {
  const [ms, spent, used] = [
    median(runs.map((run) => run.duration_ms)),
    median(runs.map((run) => run.cost)),
    median(runs.map((run) => run.tokens)),
  ];
  if (ms === null || spent === null || used === null) return [];
  return [`median ${duration(milliseconds(ms))}`, spent > 0 ? cost(spent) : '', `${tokens(Math.round(used))} tokens`];
}
