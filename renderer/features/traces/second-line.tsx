/** The second line of a row: where the words of the search are, otherwise what was asked and answered. */

import type { MatchPlace } from '../../../shared/contract/tracing/match-places.ts';
import type { ListedTrace } from '../../../shared/contract/tracing/trace-list.ts';
import type { TraceMatch } from '../../../shared/contract/tracing/trace-matches.ts';
import { progressOf } from '../../model/trace/running.ts';
import { KindIcon } from '../../ui/primitives/kind-icon.tsx';
import { Marked } from '../../ui/primitives/marked.tsx';
import { WaitingText } from '../../ui/primitives/running.tsx';
import { Text } from '../../ui/primitives/text.tsx';

export function SecondLine({ trace, match }: { trace: ListedTrace; match: TraceMatch | undefined }) {
  return (
    <div className="flex min-h-4 min-w-0 items-center gap-1.5">
      {trace.waiting_for !== null && (
        <WaitingText waitingFor={trace.waiting_for} progress={progressOf(trace)} errors={trace.error_count} isCut />
      )}
      {match ? <Match match={match} of={trace.name} /> : <Preview trace={trace} />}
    </div>
  );
}

function Match({ match: { span_name, span_kind, place, text, marks }, of }: { match: TraceMatch; of: string }) {
  return (
    <>
      <KindIcon kind={span_kind} />
      <Text size="label" tone={place === 'error' ? 'err' : 'quiet'} className="shrink-0">
        {placeWords(place, isNamed(span_kind) && span_name !== of ? span_name.replace(/^invoke_agent /, '') : '')}
      </Text>
      <Text size="label" tone="quiet" cut title={text}>
        <Marked text={text} marks={marks} />
      </Text>
    </>
  );
}

/** The names of model calls say nothing that the model does not. */
const isNamed = (kind: TraceMatch['span_kind']) => kind === 'tool' || kind === 'agent';

/** `web_search result`, `question`. @param name of a tool, or of an agent inside the trace; otherwise '' */
function placeWords(place: MatchPlace, name: string): string {
  switch (place) {
    case 'error':
      return name ? `${name} error` : 'error';
    case 'tool_result':
      return name ? `${name} result` : 'tool result';
    case 'tool_arguments':
      return name ? `${name} arguments` : 'tool arguments';
    case 'output':
      return name ? `${name} answered` : 'answer';
    case 'input':
      return name ? `${name} was asked` : 'question';
    case 'system':
      return 'system prompt';
    case 'props':
      return 'prompt variables';
    default:
      return place;
  }
}

function Preview({ trace }: { trace: ListedTrace }) {
  const { input_preview: input, output_preview: output } = trace;
  return (
    <Text as="div" size="label" tone="dim" cut title={[input, output].filter(Boolean).join('\n→ ')}>
      {input}
      {output && (
        <>
          {input && ' → '}
          <Text size="label" tone="quiet">
            {output}
          </Text>
        </>
      )}
    </Text>
  );
}
