import { Link } from '@tanstack/react-router';
import type { ComparedStep, Comparison, StepPair } from '../../../shared/contract/tracing/comparison.ts';
import type { Difference } from '../../../shared/contract/tracing/comparison-terms.ts';
import type { SpanInTrace } from '../../../shared/contract/tracing/spans.ts';
import { asFailure } from '../../api/failure.ts';
import { useSeenBefore } from '../../api/seen-before.ts';
import { jsonOf } from '../../model/text/json-diff.ts';
import { differingText } from '../../model/trace/comparison-texts.ts';
import { whatFollowed } from '../../model/trace/comparison-words.ts';
import { Button } from '../../ui/primitives/button.tsx';
import { Card } from '../../ui/primitives/card.tsx';
import { FailedState } from '../../ui/primitives/failed-state.tsx';
import { SkeletonCards } from '../../ui/primitives/skeleton.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { JsonView } from '../../ui/viewers/json-view.tsx';
import { LongText } from '../../ui/viewers/long-text.tsx';
import { SeenBeforeCard } from '../../ui/viewers/seen-before-card.tsx';
import { TextDifference } from '../../ui/viewers/text-difference.tsx';
import { useStepSpan } from './compare-query.ts';

const heads: Record<Difference, string> = {
  order: 'Order',
  missing: 'Only one run has this step',
  model: 'Model',
  settings: 'Settings',
  tools: 'Offered tools',
  prompt: 'System prompt',
  messages: 'Messages',
  arguments: 'Arguments',
  result: 'Result',
  choice: 'Called tools',
  wording: 'Answer',
};

interface PairDetailProps {
  comparison: Comparison;
  pair: StepPair;
  onSelect: (index: number) => void;
  onClose: () => void;
}

/** What differs in a step, and what followed from it. */
export function PairDetail({ comparison, pair, onSelect, onClose }: PairDetailProps) {
  const { a, b } = comparison;
  const step = (pair.a ?? pair.b) as ComparedStep;
  const isDivergence = comparison.divergence !== null && comparison.pairs[comparison.divergence] === pair;
  return (
    <>
      <div className="flex h-header shrink-0 items-center gap-2 border-line border-b px-4">
        <Text as="h2" size="section" strong cut>
          {step.name || 'unnamed'}
        </Text>
        <span className="ml-auto flex shrink-0 items-center gap-3 text-row">
          {pair.a && <OpenStep letter="A" traceId={a.id} step={pair.a} />}
          {pair.b && <OpenStep letter="B" traceId={b.id} step={pair.b} />}
          <span className="split:hidden">
            <Button onClick={onClose}>Back to the steps</Button>
          </span>
        </span>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
      <section aria-label="Step" tabIndex={0} className="grid min-h-0 flex-1 content-start gap-2.5 overflow-y-auto p-4">
        <Differences key={step.span_id} comparison={comparison} pair={pair} />
        {isDivergence && <Followed comparison={comparison} onSelect={onSelect} />}
        {isDivergence && <SeenFailure comparison={comparison} />}
      </section>
    </>
  );
}

const OpenStep = ({ letter, traceId, step }: { letter: string; traceId: string; step: ComparedStep }) => (
  <Link to="/traces/$traceId" params={{ traceId }} search={{ span: step.span_id }} className="text-accent hover:underline">
    {`Open in ${letter}`}
  </Link>
);

function Differences({ comparison, pair }: { comparison: Comparison; pair: StepPair }) {
  const [a, b] = [useStepSpan(comparison.a.id, pair.a?.span_id), useStepSpan(comparison.b.id, pair.b?.span_id)];
  const failed = [a, b].find(({ isError }) => isError);
  if (failed)
    return <FailedState failure={asFailure(failed.error, 'The step could not be loaded')} onRetry={() => void failed.refetch()} />;
  if ((pair.a && a.isPending) || (pair.b && b.isPending)) return <SkeletonCards label="Loading the step" />;
  const only = pair.a && pair.b ? null : (a.data ?? b.data);
  if (only) return <OneSide side={pair.a ? 'A' : 'B'} span={only} />;
  if (pair.differences.length === 0) return <Text tone="dim">The step is the same in both runs: same input, same result.</Text>;
  return pair.differences.map((difference) => (
    <Card key={difference} head={heads[difference]}>
      <OneDifference difference={difference} pair={pair} a={a.data} b={b.data} />
    </Card>
  ));
}

interface OneDifferenceProps {
  difference: Difference;
  pair: StepPair;
  a: SpanInTrace | null | undefined;
  b: SpanInTrace | null | undefined;
}

function OneDifference({ difference, pair, a, b }: OneDifferenceProps) {
  if (difference === 'model')
    return <TextDifference before={pair.a?.name ?? ''} after={pair.b?.name ?? ''} same="The requested model differs." />;
  if (difference === 'order') return <Text tone="dim">Both runs take this step, in a different order.</Text>;
  if (difference === 'tools') return <Text tone="dim">Open the step in both runs to see which tools the model could call.</Text>;
  const [before, after] = [a && differingText(a, difference), b && differingText(b, difference)];
  return <TextDifference before={before ?? ''} after={after ?? ''} same="The difference is not in the texts that are shown." />;
}

function OneSide({ side, span }: { side: string; span: SpanInTrace }) {
  const texts = [
    ['Input', span.input || span.props || ''],
    ['Result', span.status_message || span.output || ''],
  ] as const;
  return (
    <>
      <Text tone="dim">{`Only ${side} took this step.`}</Text>
      {texts.map(([head, text]) => (
        <Card key={head} head={head}>
          {text === '' ? <Text tone="dim">Nothing was recorded</Text> : <Value text={text} />}
        </Card>
      ))}
    </>
  );
}

function Value({ text }: { text: string }) {
  const json = jsonOf(text);
  return json ? <JsonView value={json} open={3} /> : <LongText text={text} />;
}

/** Of the run that failed, of both the later one. */
function SeenFailure({ comparison: { a, b } }: { comparison: Comparison }) {
  const failed = [b, a].find(({ status }) => status === 'ERROR') ?? [b, a].find(({ errors }) => errors > 0);
  const { data } = useSeenBefore(failed?.id ?? '', failed !== undefined);
  return failed && data ? <SeenBeforeCard traceId={failed.id} seen={data} /> : null;
}

function Followed({ comparison, onSelect }: { comparison: Comparison; onSelect: (index: number) => void }) {
  const followed = whatFollowed(comparison);
  if (followed.length === 0) return null;
  return (
    <section aria-label="What followed" className="grid gap-1.5 pt-2">
      <Text as="h3" size="section" strong>
        What followed
      </Text>
      <ul className="grid gap-1.5">
        {followed.map(({ text, index, isFailure }) => (
          <li key={text} className="flex items-baseline gap-2">
            <Text size="body" tone={isFailure ? 'err' : 'quiet'}>
              {text}
            </Text>
            <button type="button" onClick={() => onSelect(index)} className="shrink-0 text-accent text-body hover:underline">
              {`step ${index + 1}`}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
