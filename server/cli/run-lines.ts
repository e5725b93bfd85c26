/** Lines about a run for the shell, on stderr. */
import type { SpanItem } from '../../shared/contract/tracing/spans.ts';
import { count, duration, many, money } from '../reports/figures.ts';
import type { RunSums } from './run-follower.ts';
import { coloured, printable } from './terminal.ts';

const subjectMax = 40;

/** `14:02:07  tool  convert_currency   230 ms   $0.31`: what ran, how long it took, its tokens, and what the run costs by now. */
export function stepLine(step: SpanItem, { cost }: RunSums): string {
  const { span_kind, status, status_message, name, model, timestamp, duration_ms, input_tokens, output_tokens } = step;
  const tokens = input_tokens + output_tokens === 0 ? '' : `${count(input_tokens)} → ${count(output_tokens)} tok`;
  const columns = [
    coloured('dim', new Date(Date.parse(timestamp) + duration_ms).toTimeString().slice(0, 8), process.stderr),
    span_kind.padEnd(9),
    printable(span_kind === 'llm' ? (model ?? name) : name, subjectMax).padEnd(28),
    duration(duration_ms).padStart(9),
    tokens.padStart(20),
    (cost > 0 ? money(cost) : '-').padStart(9),
  ];
  const failure = status === 'ERROR' ? `  ${coloured('red', failureText(status_message), process.stderr)}` : '';
  return columns.join('  ') + failure;
}

const failureText = (message: string): string => (message === '' ? 'failed' : `failed: ${printable(message, 100)}`);

/** Counts of the steps that were reported. */
export class RunCounts {
  #calls = 0;
  #tools = 0;
  #failed = 0;

  add(steps: readonly SpanItem[]): void {
    for (const { span_kind, status } of steps) {
      if (span_kind === 'llm') this.#calls++;
      if (span_kind === 'tool') this.#tools++;
      if (status === 'ERROR') this.#failed++;
    }
  }

  /** `3 model calls, 12 tool calls, 1 failed, 12,345 tokens, $0.31, in 12.0 s`. */
  summary({ tokens, cost }: RunSums, ms: number): string {
    const parts = [
      many(this.#calls, 'model call'),
      many(this.#tools, 'tool call'),
      ...(this.#failed > 0 ? [`${count(this.#failed)} failed`] : []),
      ...(tokens > 0 ? [many(tokens, 'token')] : []),
      ...(cost > 0 ? [money(cost)] : []),
    ];
    return `${parts.join(', ')}, in ${duration(ms)}`;
  }
}
