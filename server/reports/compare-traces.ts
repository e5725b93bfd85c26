import { z } from 'zod';
import type { ComparedRun, ComparedStep, Comparison, StepPair } from '../../shared/contract/tracing/comparison.ts';
import { boundedReport, leftOut } from './bounded-report.ts';
import { count, duration, many, money } from './figures.ts';
import { compareLink } from './links.ts';
import { plain, quoted, recordedNotice } from './recorded-text.ts';
import { defineReport } from './report.ts';

const input = z.object({ a: z.string().min(1).max(128).describe('The good or earlier trace'), b: z.string().min(1).max(128) });

export const compareTraces = defineReport({
  name: 'compare_traces',
  description: 'Two traces step by step: where they diverge first, what differs there, and what follows.',
  input,
  find: async (context, { a, b }) => {
    const { data } = await context.client.comparisons.find({ query: { a, b } });
    const differing = data.pairs.flatMap((pair, at) => (pair.differences.length > 0 ? [{ pair, at }] : []));
    return {
      data,
      text: (lengthMax) =>
        boundedReport(
          {
            head: [
              verdict(data),
              `A ${runLine(data.a)}`,
              `B ${runLine(data.b)}`,
              recordedNotice,
              ...(data.divergence === null ? [] : ['', 'What differs, in the order of the steps:']),
            ],
            items: differing.map(({ pair, at }) => pairLines(pair, at)),
            foot: (shown) => [
              '',
              `${count(shown)} of ${many(differing.length, 'differing step')} shown, of ${many(data.pairs.length, 'step')} in all${data.is_whole ? '' : ' that were compared; the runs have more'}.${leftOut(shown, differing.length)}`,
              `Whole texts: show_span. In the viewer: ${compareLink(context.viewerUrl, a, b)}`,
            ],
          },
          lengthMax,
        ),
    };
  },
});

const runLine = ({ id, name, status, duration_ms, tokens, cost, errors, model_calls, tool_calls }: ComparedRun): string =>
  [
    `${plain(id)} ${quoted(name, 80)}: ${status === 'ERROR' ? 'FAILED' : status.toLowerCase()}`,
    many(errors, 'error'),
    duration(duration_ms),
    money(cost),
    `${count(tokens)} tokens`,
    many(model_calls, 'model call'),
    many(tool_calls, 'tool call'),
  ].join(' · ');

function verdict({ pairs, divergence, is_whole }: Comparison): string {
  if (divergence === null)
    return `The runs are equal in ${is_whole ? 'all' : 'the first'} ${many(pairs.length, 'step')}; only times and prices may differ.`;
  const pair = pairs[divergence];
  const step = pair?.a ?? pair?.b;
  return `The runs diverge at step ${divergence + 1}, ${step?.kind ?? ''} ${quoted(step?.name ?? '', 80)}: ${pair ? words(pair) : ''}.${divergence > 0 ? ` The ${many(divergence, 'step')} before it are equal.` : ''}`;
}

const differenceWords: Record<StepPair['differences'][number], string> = {
  order: 'taken in another order',
  missing: 'taken by one run only',
  model: 'another model',
  settings: 'other settings',
  tools: 'other tools on offer',
  prompt: 'another system prompt',
  messages: 'other messages',
  arguments: 'other arguments',
  result: 'another result',
  choice: 'the model chose differently',
  wording: 'the model answered in other words',
};

/** What came out of a step, not what went into it. */
const outcomes: readonly string[] = ['result', 'choice', 'wording'] satisfies StepPair['differences'];

function words({ a, b, differences }: StepPair): string {
  if (a === null || b === null) return `only in ${a === null ? 'B' : 'A'}`;
  const text = differences.map((difference) => differenceWords[difference]).join(', ');
  return differences.every((difference) => outcomes.includes(difference)) ? `${text}, given the same` : text;
}

function pairLines(pair: StepPair, at: number): string {
  const step = pair.a ?? pair.b;
  const side = (label: string, of: ComparedStep | null) =>
    of === null ? [] : [`  ${label} span ${plain(of.span_id)}${of.is_failed ? ' FAILED' : ''} ${quoted(of.text)}`];
  return [
    `Step ${at + 1} · ${step?.kind ?? ''} ${quoted(step?.name ?? '', 80)}: ${words(pair)}`,
    ...side('A', pair.a),
    ...side('B', pair.b),
  ].join('\n');
}
