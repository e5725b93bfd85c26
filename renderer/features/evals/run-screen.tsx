import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { asFailure, isNotFound } from '../../api/failure.ts';
import { useLastError } from '../../api/last-error.ts';
import { cost, count, duration, plural } from '../../model/text/format.ts';
import { milliseconds, when } from '../../model/time/time.ts';
import { DetailHeader } from '../../ui/primitives/detail-header.tsx';
import { FactsLine } from '../../ui/primitives/facts-line.tsx';
import { NotLoaded } from '../../ui/primitives/not-loaded.tsx';
import { Tabs } from '../../ui/primitives/tabs.tsx';
import { useBack } from '../../ui/primitives/use-back.ts';
import { LongText } from '../../ui/viewers/long-text.tsx';
import { RunState } from './columns.tsx';
import { type ShownRun, useRun } from './evals-query.ts';
import { CardSide, EscalationSide, TaskSide, TrialSide } from './run-sides.tsx';
import { type EvalRunView, readEvalRunUrl } from './url.ts';
import { nameOf, passRate } from './words.ts';

const route = getRouteApi('/evals/$runId');

/** One eval run, by task and trial. */
export function RunScreen() {
  const { runId } = route.useParams();
  const navigate = useNavigate();
  const run = useRun(runId);
  const error = useLastError(run);
  useBack('Eval run', '/evals');
  if (run.data) return <LoadedRun run={run.data} />;
  const all = () => void navigate({ to: '/evals' });
  return (
    <NotLoaded
      noun="eval run"
      failure={error && asFailure(error, 'The eval run could not be loaded')}
      isMissing={isNotFound(error)}
      onAll={all}
      onRetry={() => void run.refetch()}
    />
  );
}

const sides = { tasks: TaskSide, trials: TrialSide, card: CardSide, escalations: EscalationSide };

function LoadedRun({ run }: { run: ShownRun }) {
  const { id: runId, trials, tasks, escalations, error } = run;
  const view: EvalRunView = route.useSearch();
  const navigate = useNavigate();
  const show = (search: EvalRunView) => void navigate({ to: '/evals/$runId', params: { runId }, search, replace: true });
  const side = view.side ?? 'tasks';
  const Side = sides[side];
  return (
    <>
      <title>{`${nameOf(run)} · Glasshouse`}</title>
      <DetailHeader parent={<Link to="/evals">Eval runs</Link>} title={nameOf(run)}>
        <RunState run={run} />
      </DetailHeader>
      <FactsLine facts={factsOf(run)} />
      {error !== null && (
        <section aria-label="Error" className="max-h-image shrink-0 overflow-auto border-line border-b bg-err-bg px-pad py-2">
          <LongText text={error || 'The worker gave no reason.'} mono />
        </section>
      )}
      <Tabs
        label="Run details"
        tabs={[
          { id: 'tasks', label: 'Tasks', badge: tasks },
          { id: 'trials', label: 'Trials', badge: trials.total },
          { id: 'card', label: 'Result card' },
          { id: 'escalations', label: 'Escalations', badge: escalations, isAlarming: true },
        ]}
        active={side}
        onChange={(next) => show(readEvalRunUrl({ side: next }))}
      >
        <Side run={run} view={view} onShow={(change) => show(readEvalRunUrl({ ...view, ...change }))} />
      </Tabs>
    </>
  );
}

function factsOf(run: ShownRun): (readonly [string, string])[] {
  const { trials, tasks, cost_usd, created_at, claimed_at, completed_at, experiment_key } = run;
  const workedMs = claimed_at && completed_at ? Date.parse(completed_at) - Date.parse(claimed_at) : 0;
  // The report that ends an unclaimed run also claims it, so its duration is 0 and is not shown.
  const runDuration = workedMs > 0 ? duration(milliseconds(workedMs)) : null;
  const facts: (readonly [string, string | null])[] = [
    ['Passed', passRate(trials)],
    ['Trials', trials.total > 0 ? `${count(trials.total)} over ${plural(tasks, 'task')}` : null],
    ['Cost', cost_usd === null ? null : cost(cost_usd)],
    ['Duration', runDuration],
    ['Created', when(created_at)],
    ['Claimed', claimed_at && when(claimed_at)],
    ['Experiment', experiment_key],
  ];
  return facts.filter((fact): fact is readonly [string, string] => fact[1] !== null);
}
