import { count, plural } from '../../model/text/format.ts';
import { Text } from '../../ui/primitives/text.tsx';
import type { ListedRun } from './evals-query.ts';
import { passRate } from './words.ts';

/** Share of passed trials, as a bar with numbers. */
export function PassBar({ trials }: Pick<ListedRun, 'trials'>) {
  const { passed, failed, error, total } = trials;
  const rate = passRate(trials);
  if (rate === null) return <Text tone="dim">No trials yet</Text>;
  return (
    <span
      className="flex items-center gap-2"
      title={`${plural(passed, 'trial')} passed, ${count(failed)} failed, ${count(error)} could not be judged`}
    >
      <progress
        max={total}
        value={passed}
        aria-label="Passed"
        className="h-bar w-full min-w-0 flex-1 appearance-none overflow-hidden rounded-pill bg-err-bg accent-ok [&::-moz-progress-bar]:bg-ok [&::-webkit-progress-bar]:bg-err-bg [&::-webkit-progress-value]:bg-ok"
      />
      <Text size="label" tone="quiet" className="shrink-0 tabular-nums">{`${count(passed)} of ${count(total)}`}</Text>
    </span>
  );
}
