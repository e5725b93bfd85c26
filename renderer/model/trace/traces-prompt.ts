/** Summary of traces for the prompt of an assistant: what was asked and answered, how it ended, and where the rest is. */
import type { ListedTrace } from '../../../shared/contract/tracing/trace-list.ts';
import { cost, duration, plural, tokens } from '../text/format.ts';
import { milliseconds } from '../time/time.ts';
import { truncateMiddle } from './ai-summary.ts';

const tracesMax = 50;

/**
 * @param title such as `2 traces`
 * @param origin address of the gateway
 */
export function tracesPrompt(title: string, traces: readonly ListedTrace[], origin: string): string {
  const shown = traces.slice(0, tracesMax);
  const more = traces.length - shown.length;
  return [
    `# ${title}`,
    `All spans of a trace: GET ${origin}/v1/traces/TRACE_ID`,
    ...shown.map(summaryOf),
    ...(more > 0
      ? [
          `${plural(more, 'more trace')}: ${traces
            .slice(tracesMax)
            .map(({ id }) => id)
            .join(', ')}`,
        ]
      : []),
  ].join('\n\n');
}

function summaryOf(trace: ListedTrace): string {
  const { id, name, start, status, error_count, latency_ms, running, input_preview = '', output_preview = '' } = trace;
  const facts = [
    running > 0 ? 'running' : `status ${status}`,
    error_count > 0 && plural(error_count, 'failed span'),
    running === 0 && `took ${duration(milliseconds(latency_ms))}`,
    trace.tokens > 0 && `${tokens(trace.tokens)} tokens`,
    trace.cost > 0 && `cost ${cost(trace.cost)}`,
    trace.models.length > 0 && `models ${trace.models.join(', ')}`,
  ].filter(Boolean);
  return [
    `## ${name || 'unnamed'}`,
    `Trace ${id}, started ${start}`,
    facts.join(', '),
    ...(input_preview ? [`Asked: ${truncateMiddle(input_preview)}`] : []),
    ...(output_preview ? [`Answered: ${truncateMiddle(output_preview)}`] : []),
  ].join('\n');
}
