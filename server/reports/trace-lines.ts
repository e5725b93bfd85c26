/** How reports show a trace of a list. */
import type { ListedTrace } from '../../shared/contract/tracing/trace-list.ts';
import type { TraceMatch } from '../../shared/contract/tracing/trace-matches.ts';
import { count, duration, many, money, time } from './figures.ts';
import { plain, quoted } from './recorded-text.ts';

export const statusWords = { ERROR: 'FAILED', OK: 'ok', UNSET: 'status not reported' };

/** The status, and how many spans failed. */
export function statusOf({ status, error_count, running }: Pick<ListedTrace, 'status' | 'error_count' | 'running'>): string {
  if (running > 0) return `running, ${many(running, 'span')} open${error_count > 0 ? `, ${many(error_count, 'error')} so far` : ''}`;
  if (error_count === 0) return statusWords[status];
  return `${statusWords[status]}, ${many(error_count, status === 'ERROR' ? 'failed span' : 'error inside', status === 'ERROR' ? 'failed spans' : 'errors inside')}`;
}

const placeWords: Record<TraceMatch['place'], string> = {
  error: 'in the error of',
  tool_result: 'in the result of',
  output: 'in the output of',
  tool_arguments: 'in the arguments of',
  input: 'in the input of',
  name: 'in the name of',
  metadata: 'in the metadata of',
  system: 'in the system prompt of',
  props: 'in the variables of',
};

/** A few lines on a trace: id and figures, name, and where the words of a search are, or what was asked and answered. */
export function traceLines(trace: ListedTrace, match?: TraceMatch): string {
  const figures = [
    statusOf(trace),
    ...(trace.running > 0 ? [] : [duration(trace.latency_ms)]),
    money(trace.cost),
    `${count(trace.tokens)} tokens`,
    many(trace.span_count, 'span'),
    time(trace.start),
  ];
  const facts = [
    `name ${quoted(trace.name, 100)}`,
    ...(trace.service === null ? [] : [`service ${quoted(trace.service, 60)}`]),
    ...(trace.models.length === 0
      ? []
      : [
          `model ${trace.models
            .slice(0, 3)
            .map((model) => quoted(model, 60))
            .join(' ')}`,
        ]),
    ...(trace.session_id === null ? [] : [`session ${quoted(trace.session_id, 80)}`]),
    ...(trace.tags.length === 0
      ? []
      : [
          `tags ${trace.tags
            .slice(0, 5)
            .map((tag) => quoted(tag, 40))
            .join(' ')}`,
        ]),
  ];
  return [`${plain(trace.id)} · ${figures.join(' · ')}`, `  ${facts.join(' · ')}`, ...textLines(trace, match)].join('\n');
}

function textLines(trace: ListedTrace, match: TraceMatch | undefined): string[] {
  if (match) return [`  found ${placeWords[match.place]} ${quoted(match.span_name, 80)}: ${quoted(match.text, 240)}`];
  const { input_preview = '', output_preview = '' } = trace;
  return [
    ...(input_preview === '' ? [] : [`  asked ${quoted(input_preview)}`]),
    ...(output_preview === '' ? [] : [`  answered ${quoted(output_preview)}`]),
  ];
}
