import type { ExperimentRun } from '../../../shared/contract/evaluation/experiment-runs.ts';
import { useMay } from '../../api/identity.ts';
import { refusalOf, restOf } from '../../api/refusal.ts';
import { count, plural } from '../../model/text/format.ts';
import { Button } from '../../ui/primitives/button.tsx';
import { Pill } from '../../ui/primitives/pill.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { useCancelRun } from './experiments-query.ts';

const labels = { running: 'Running', succeeded: 'Succeeded', failed: 'Failed', cancelled: 'Cancelled', timed_out: 'Timed out' } as const;
const tones = { running: 'plain', succeeded: 'ok', failed: 'err', cancelled: 'warm', timed_out: 'err' } as const;

/** Progress of an experiment that was started in Glasshouse, with a button to cancel it. */
export function RunLine({ run }: { run: ExperimentRun }) {
  const cancel = useCancelRun(run.experiment_id);
  const mayCancel = useMay()('worker.run');
  const { status, rows_total, rows_done, rows_failed, error } = run;
  const problem = restOf(refusalOf(cancel.error), []);
  return (
    <section aria-label="Run" className="flex min-h-row shrink-0 flex-wrap items-center gap-3 border-line border-b px-pad py-1.5">
      <Pill tone={tones[status]}>{labels[status]}</Pill>
      <Text className="tabular-nums">
        {rows_total === null ? `${plural(rows_done, 'row')} done` : `${count(rows_done)} of ${plural(rows_total, 'row')} done`}
      </Text>
      {rows_total !== null && rows_total > 0 && status === 'running' && (
        <progress
          max={rows_total}
          value={rows_done}
          aria-label="Rows done"
          className="h-edge w-side appearance-none overflow-hidden rounded-pill [&::-webkit-progress-bar]:bg-raised [&::-webkit-progress-value]:bg-accent"
        />
      )}
      {rows_failed > 0 && <Text tone="err">{`${count(rows_failed)} failed`}</Text>}
      {error && (
        <Text tone="err" cut title={error}>
          {error}
        </Text>
      )}
      {problem && <Text tone="err">{problem}</Text>}
      {status === 'running' && mayCancel && (
        <span className="ml-auto">
          <Button disabled={cancel.isPending} onClick={() => cancel.mutate()}>
            Cancel run
          </Button>
        </span>
      )}
    </section>
  );
}
