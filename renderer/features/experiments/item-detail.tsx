import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ExperimentItem } from '../../../shared/contract/evaluation/experiments.ts';
import { cost, duration } from '../../model/text/format.ts';
import { jsonOf } from '../../model/text/json-diff.ts';
import { milliseconds } from '../../model/time/time.ts';
import { scoreText } from '../../model/trace/score-text.ts';
import { Button } from '../../ui/primitives/button.tsx';
import { Card } from '../../ui/primitives/card.tsx';
import { Pill } from '../../ui/primitives/pill.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { JsonView } from '../../ui/viewers/json-view.tsx';
import { LongText } from '../../ui/viewers/long-text.tsx';
import { TextDifference } from '../../ui/viewers/text-difference.tsx';
import { DivergenceLine } from './divergence-line.tsx';

interface ItemOfRun {
  label: string;
  item: ExperimentItem;
}

interface ItemDetailProps {
  name: string;
  /** One run, or several with the baseline first. */
  runs: readonly ItemOfRun[];
  missing?: readonly string[];
  onClose: () => void;
}

/** One item: input, expected output, and the output of each run with its changes. */
export function ItemDetail({ name, runs, missing = [], onClose }: ItemDetailProps) {
  const first = runs[0]?.item;
  return (
    <>
      <div className="flex h-header shrink-0 items-center gap-2 border-line border-b px-4">
        <Text as="h2" size="section" strong cut>
          {name || 'unnamed'}
        </Text>
        <span className="ml-auto split:hidden">
          <Button onClick={onClose}>Back to items</Button>
        </span>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
      <section aria-label="Item" tabIndex={0} className="grid min-h-0 flex-1 content-start gap-2.5 overflow-y-auto p-4">
        <Card head="Input" folds={runs.length > 1 ? 'shut' : 'open'}>
          <Value text={first?.input ?? ''} />
        </Card>
        {first?.expectedOutput && (
          <Card head="Expected output" folds="open">
            <Value text={first.expectedOutput} />
          </Card>
        )}
        {runs.map(({ label, item }, i) => (
          <RunCard key={item.traceId} label={label} item={item}>
            {i === 0 || !first ? (
              <Value text={item.output} />
            ) : (
              <>
                <DivergenceLine baseline={first.traceId} run={item.traceId} />
                <TextDifference before={first.output} after={item.output} same="Same as the baseline." />
              </>
            )}
          </RunCard>
        ))}
        {missing.map((label) => (
          <Text key={label} tone="dim">{`${label} does not have this item.`}</Text>
        ))}
      </section>
    </>
  );
}

function Value({ text }: { text: string }) {
  if (text === '') return <Text tone="dim">Nothing was recorded</Text>;
  const json = jsonOf(text);
  return json ? <JsonView value={json} open={3} /> : <LongText text={text} />;
}

function RunCard({ label, item, children }: ItemOfRun & { children: ReactNode }) {
  return (
    <Card
      head={
        <>
          <span className="truncate text-fg">{label}</span>
          <span className="num font-normal text-fg-3">
            {[duration(milliseconds(item.latencyMs)), item.cost > 0 ? cost(item.cost) : '', item.model].filter(Boolean).join(' · ')}
          </span>
        </>
      }
      actions={
        <Link to="/traces/$traceId" params={{ traceId: item.traceId }} className="px-2.5 text-accent text-label hover:underline">
          Open trace
        </Link>
      }
    >
      {children}
      {item.scores.length > 0 && (
        <ul className="grid gap-1 pt-2.5">
          {item.scores.map(({ name, score, label: scoreLabel, reason }, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same score name may occur twice
            <li key={`${name} ${i}`} className="flex min-w-0 items-baseline gap-2">
              <Pill>{`${name} ${[scoreLabel, scoreText(score)].filter(Boolean).join(' ')}`}</Pill>
              <Text tone="dim" className="wrap-anywhere">
                {reason}
              </Text>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
