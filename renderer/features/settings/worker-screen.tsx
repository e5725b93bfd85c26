import type { WorkerStatus } from '../../../shared/contract/evaluation/experiment-runs.ts';
import { asFailure } from '../../api/failure.ts';
import { useWorker, useWorkerEvals } from '../../api/worker.ts';
import { handlerLines, workerLines } from '../../model/setup/worker-lines.ts';
import { exactly, when } from '../../model/time/time.ts';
import { ScreenHeader } from '../../ui/lists/list-screen.tsx';
import { FailedState } from '../../ui/primitives/failed-state.tsx';
import { PageBody } from '../../ui/primitives/page-body.tsx';
import { Pill } from '../../ui/primitives/pill.tsx';
import { SkeletonRows } from '../../ui/primitives/skeleton.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { CodeBlock } from '../../ui/viewers/code-block.tsx';

/** Connected eval worker, and how to start one. */
export function WorkerScreen() {
  const worker = useWorker();
  return (
    <>
      <title>Eval worker · Glasshouse</title>
      <ScreenHeader title="Eval worker">
        {worker.data !== undefined && <Pill tone={worker.data ? 'ok' : 'plain'}>{worker.data ? 'Connected' : 'Not connected'}</Pill>}
      </ScreenHeader>
      {worker.isError && worker.data === undefined ? (
        <FailedState failure={asFailure(worker.error, 'The worker could not be loaded')} onRetry={() => void worker.refetch()} />
      ) : worker.data === undefined ? (
        <SkeletonRows rows={4} label="Loading the worker" />
      ) : (
        <PageBody label="Eval worker">
          {worker.data ? <Connected worker={worker.data} /> : null}
          <HowTo isConnected={worker.data !== null} />
        </PageBody>
      )}
    </>
  );
}

function Connected({ worker }: { worker: WorkerStatus }) {
  const evals = useWorkerEvals(true);
  const { connected_at, last_heard_at, adapter, sdk_version, language } = worker;
  const program = [adapter, sdk_version].filter(Boolean).join(' ') || 'unknown';
  const evalNames = evals.isError ? asFailure(evals.error, '').why : evals.isPending ? 'Loading…' : evals.data.join(', ') || 'None';
  const facts = [
    ['Connected since', `${when(connected_at)} (${exactly(connected_at)})`],
    ['Last seen', when(last_heard_at)],
    ['Program', program],
    ['Language', language ?? 'unknown'],
    ['Evals', evalNames],
  ] as const;
  return (
    <dl className="grid grid-cols-[var(--width-name)_minmax(0,1fr)]">
      {facts.map(([name, value]) => (
        <div key={name} className="col-span-2 grid grid-cols-subgrid border-line border-b py-1.5">
          <dt className="text-fg-2 text-row">{name}</dt>
          <dd className="wrap-anywhere text-row tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

const HowTo = ({ isConnected }: { isConnected: boolean }) => (
  <section className="grid gap-2">
    <Text as="h2" size="section" strong>
      {isConnected ? 'Replace the worker' : 'Start a worker'}
    </Text>
    <Text as="p" tone="quiet">
      An eval worker is a process of yours that runs next to your code and its keys. It connects to this gateway and runs the experiments
      started here, so nothing has to connect to it. Each app has one worker: a new one replaces the old one.
    </Text>
    <CodeBlock code={workerLines(window.location.origin)} label="the commands" />
    <Text as="p" tone="quiet">
      The handler is a module that processes one input at a time:
    </Text>
    <CodeBlock code={handlerLines} label="the handler" />
  </section>
);
