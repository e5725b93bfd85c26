import type { Score } from '../../../../shared/contract/evaluation/scores.ts';
import type { RawSpanReply } from '../../../../shared/contract/tracing/raw-span.ts';
import type { SpanInTrace } from '../../../../shared/contract/tracing/spans.ts';
import { cost, count, duration, percent, plural, tokens } from '../../../model/text/format.ts';
import { milliseconds } from '../../../model/time/time.ts';
import type { SpanNode } from '../../../model/trace/span-node.ts';
import { nextOf } from '../../../model/trace/span-rows.ts';
import { Pill } from '../../../ui/primitives/pill.tsx';
import type { LoadedTrace } from '../page/trace-query.ts';

/** Cost of a span with its source; null when it has none. */
export function spanCost({ span, totals }: Pick<SpanNode, 'span' | 'totals'>): { text: string; title: string } | null {
  if (span.cost_source === 'reported') return { text: cost(span.cost), title: 'Cost reported by the sender' };
  if (span.cost_source === 'computed') return { text: cost(span.cost), title: 'Cost computed from tokens and list prices' };
  if (totals.cost > 0) return { text: cost(totals.cost), title: 'Cost of the calls below' };
  return span.tokens > 0 ? { text: '$ —', title: `No price is known for ${span.model ?? 'a span without a model'}` } : null;
}

interface SpanPillsProps {
  node: SpanNode;
  /** The span with its texts; undefined while they load. */
  span: SpanInTrace | undefined;
  raw: RawSpanReply | undefined;
  scores: readonly Score[];
  loaded: LoadedTrace;
  onReveal: (node: SpanNode) => void;
}

const scoresMax = 4;
const cutOffReasons: Record<string, string> = {
  length: 'The response was cut off at the token limit',
  content_filter: 'A content filter ended the response',
};

/** Figures of a span, as pills. */
export function SpanPills({ node, span: loadedSpan, raw, scores, loaded, onReveal }: SpanPillsProps) {
  const span = loadedSpan ?? node.span;
  const { totals, self, order } = node;
  const { trace, tree } = loaded;
  const isFailed = span.status === 'ERROR';
  const errorsBelow = totals.errors - (isFailed ? 1 : 0);
  const offset = milliseconds(Date.parse(span.timestamp) - Date.parse(trace.start));
  const firstToken = tree.firstTokenAt(order);
  const price = spanCost({ span, totals });
  const stop = span.finish_reason ?? '';
  return (
    <div className="flex flex-wrap gap-1.5">
      {isFailed && <Pill tone="err">Failed</Pill>}
      {tree.isPending(order) ? (
        <Pill tone="ok">Running</Pill>
      ) : (
        <Pill title={node.below > 0 ? `Self time ${duration(self)}` : undefined}>{duration(milliseconds(tree.durationAt(order)))}</Pill>
      )}
      {firstToken !== null && <Pill title="Time to first token">{`First token ${duration(milliseconds(firstToken))}`}</Pill>}
      {offset > 0 && <Pill title="After the start of the trace">{`At ${duration(offset)}`}</Pill>}
      {span.model && !span.name.includes(span.model) && <Pill title={`Model ${span.model}`}>{span.model}</Pill>}
      <Usage span={span} raw={raw} />
      {price && <Pill title={price.title}>{price.text}</Pill>}
      {stop && (
        <Pill
          tone={Object.hasOwn(cutOffReasons, stop) ? 'warm' : 'plain'}
          title={Object.hasOwn(cutOffReasons, stop) ? cutOffReasons[stop] : 'Finish reason'}
        >
          {`Finish: ${stop}`}
        </Pill>
      )}
      {span.prompt_name && <Pill title={`Prompt ${span.prompt_name}`}>{`Prompt: ${span.prompt_name}`}</Pill>}
      {span.service_name && <Pill title={`Service ${span.service_name}`}>{span.service_name}</Pill>}
      {scores.slice(0, scoresMax).map(({ id, name, score, label, reason }) => (
        <Pill key={id} title={reason || undefined}>{`${name} ${label || String(score)}`}</Pill>
      ))}
      {errorsBelow > 0 && (
        <Pill tone="err" title="Go to the first one" onClick={() => onReveal(tree.node(nextOf(tree.failedAt, order, 1) ?? order))}>
          {`${plural(errorsBelow, 'error')} below`}
        </Pill>
      )}
    </div>
  );
}

function Usage({ span, raw }: { span: SpanInTrace; raw: RawSpanReply | undefined }) {
  const [cacheRead, cacheWrite] = [Number(raw?.values.cache_read_tokens ?? 0), Number(raw?.values.cache_write_tokens ?? 0)];
  const reasoning = span.reasoning_tokens ?? 0;
  return (
    <>
      {span.input_tokens + span.output_tokens > 0 && (
        <Pill title={`${count(span.input_tokens)} tokens in, ${count(span.output_tokens)} out`}>
          {`${tokens(span.input_tokens)} → ${tokens(span.output_tokens)}`}
        </Pill>
      )}
      {cacheRead > 0 && (
        <Pill
          title={
            span.input_tokens > 0 ? `${percent(Math.min(1, cacheRead / span.input_tokens))} of the input came from the cache` : undefined
          }
        >
          {`Cached ${tokens(cacheRead)}`}
        </Pill>
      )}
      {cacheWrite > 0 && <Pill title="Tokens written to the provider’s cache">{`Cache write ${tokens(cacheWrite)}`}</Pill>}
      {reasoning > 0 && <Pill title="Reasoning tokens, which are part of the output">{`Reasoning ${tokens(reasoning)}`}</Pill>}
    </>
  );
}
