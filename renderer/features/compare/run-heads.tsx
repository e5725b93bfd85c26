import { Link } from '@tanstack/react-router';
import type { ComparedRun } from '../../../shared/contract/tracing/comparison.ts';
import { exactly, when } from '../../model/time/time.ts';
import { errorsInside, errorsInsideText } from '../../model/trace/outcome.ts';
import { Text } from '../../ui/primitives/text.tsx';

const statuses = { OK: 'Succeeded', ERROR: 'Failed', UNSET: 'Status not reported' } as const;
const tones = { OK: 'ok', ERROR: 'err', UNSET: 'dim' } as const;

/** The two runs by name, status and start. */
export const RunHeads = ({ a, b }: { a: ComparedRun; b: ComparedRun }) => (
  <div className="grid shrink-0 grid-cols-1 gap-2 border-line border-b px-pad py-2 split:grid-cols-2">
    <RunHead letter="A" run={a} />
    <RunHead letter="B" run={b} />
  </div>
);

function RunHead({ letter, run }: { letter: string; run: ComparedRun }) {
  const inside = errorsInside({ status: run.status, error_count: run.errors });
  return (
    <Link
      to="/traces/$traceId"
      params={{ traceId: run.id }}
      className="flex min-w-0 items-center gap-3 rounded-card border border-line-2 px-pad py-1.5 hover:bg-hover"
    >
      <Text strong tone="dim">
        {letter}
      </Text>
      <span className="grid min-w-0">
        <Text strong cut>
          {run.name || 'unnamed'}
        </Text>
        <span className="flex min-w-0 gap-1 text-fg-3 text-label">
          <Text size="label" tone={run.is_running ? 'ok' : tones[run.status]}>
            {run.is_running ? 'Running' : statuses[run.status]}
          </Text>
          {inside > 0 && <Text size="label" tone="err">{`· ${errorsInsideText(inside)}`}</Text>}
          <span className="truncate" title={exactly(run.start)}>{`· ${[when(run.start), ...run.prompts].join(' · ')}`}</span>
        </span>
      </span>
    </Link>
  );
}
