import { briefTextChars } from '../../../shared/contract/operations/worker-runs.ts';
import { useMay } from '../../api/identity.ts';
import { refusalOf } from '../../api/refusal.ts';
import { cost, plural } from '../../model/text/format.ts';
import { exactly, when } from '../../model/time/time.ts';
import { Button } from '../../ui/primitives/button.tsx';
import { Card } from '../../ui/primitives/card.tsx';
import { Pill } from '../../ui/primitives/pill.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { LongText } from '../../ui/viewers/long-text.tsx';
import { type Run, useCancel } from './coding-agents-query.ts';
import { Disclosure } from './disclosure.tsx';
import { TurnChanges } from './turn-changes.tsx';
import { TurnOutput } from './turn-output.tsx';
import { durationOf, isOpen, stateOf } from './words.ts';

/** One turn with its result. @param isLast its output is expanded at first */
export function TurnCard({ run, title, isLast }: { run: Run; title: string; isLast: boolean }) {
  const { word, tone } = stateOf(run);
  const { run_id, task_prompt, result, error, cost_usd, checkpoint, started_at, created_at } = run;
  const duration = durationOf(run);
  return (
    <Card
      edge={run.status === 'failed' ? 'err' : 'plain'}
      head={
        <>
          <h2>{title}</h2>
          <Pill tone={tone}>{word}</Pill>
          <Text size="label" tone="dim" title={exactly(started_at ?? created_at)}>
            {when(started_at ?? created_at)}
          </Text>
          <Text size="label" tone="dim" className="ml-auto pr-2.5 tabular-nums">
            {[duration, cost_usd === null ? null : cost(cost_usd)].filter(Boolean).join(' · ')}
          </Text>
        </>
      }
      actions={isOpen(run) && <CancelButton run={run} />}
    >
      <div className="grid min-w-0 gap-3">
        <LongText text={task_prompt} />
        {isCut(task_prompt) && <Text tone="dim">Only the beginning of the task is shown. The agent and the API have all of it.</Text>}
        {error !== null && (
          <Text as="p" tone="err">
            {error}
          </Text>
        )}
        {run.status !== 'queued' && started_at !== null && (
          <Disclosure label="Output" defaultOpen={isLast}>
            <TurnOutput runId={run_id} label={`Output of ${title.toLowerCase()}`} />
          </Disclosure>
        )}
        {result !== null && (
          <div className="grid gap-1">
            <Text size="label" tone="quiet">
              Result
            </Text>
            <LongText text={result} />
          </div>
        )}
        {checkpoint && (
          <Disclosure label={`Checkpoint ${checkpoint.commit_sha.slice(0, 7)}: ${changeSummary(checkpoint)}`}>
            <TurnChanges runId={run_id} />
          </Disclosure>
        )}
        {!checkpoint && !isOpen(run) && <Text tone="dim">No files changed.</Text>}
      </div>
    </Card>
  );
}

/** The API shortens long texts in lists and ends them with an ellipsis. */
const isCut = (text: string): boolean => text.length > briefTextChars && text.endsWith('…');

const changeSummary = ({ files, insertions, deletions }: NonNullable<Run['checkpoint']>): string =>
  `${plural(files, 'file')}, +${insertions} −${deletions}`;

function CancelButton({ run }: { run: Run }) {
  const cancel = useCancel();
  const mayRun = useMay()('worker.run');
  if (!mayRun) return null;
  const problem = refusalOf(cancel.error).whole;
  return (
    <span className="flex shrink-0 items-center gap-2 pr-1">
      {problem && (
        <Text tone="err" size="label">
          {problem}
        </Text>
      )}
      <Button disabled={run.cancel_requested_at !== null || cancel.isPending} onClick={() => cancel.mutate(run.run_id)}>
        Cancel
      </Button>
    </span>
  );
}
