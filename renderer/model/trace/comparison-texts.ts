/** The texts in which two steps of a comparison differ. */
import type { Difference } from '../../../shared/contract/tracing/comparison-terms.ts';
import type { SpanInTrace } from '../../../shared/contract/tracing/spans.ts';
import { type Message, readMessages } from './messages.ts';
import { messageText } from './what-changed.ts';

type Texts = Pick<SpanInTrace, 'input' | 'output' | 'tool_calls' | 'settings' | 'props' | 'status_message'>;

const isPrompt = ({ role }: Message): boolean => role === 'system' || role === 'developer';

const conversation = (input: string, isKept: (message: Message) => boolean): string =>
  (readMessages(input) ?? [])
    .filter(isKept)
    .map((message) => `${message.role}: ${messageText(message)}`)
    .join('\n\n');

/** What a difference is about: as text, or as JSON text. Null where spans do not carry it. */
export function differingText(span: Texts, difference: Difference): string | null {
  switch (difference) {
    case 'settings':
      return span.settings ?? '';
    case 'prompt':
      return conversation(span.input ?? '', isPrompt);
    case 'messages':
      return conversation(span.input ?? '', (message) => !isPrompt(message)) || (span.input ?? '');
    case 'arguments':
      return span.input || span.props || '';
    case 'result':
      return span.status_message || span.output || '';
    case 'choice':
      return span.tool_calls ?? '[]';
    case 'wording':
      return span.output ?? '';
    case 'model':
    case 'tools':
    case 'order':
    case 'missing':
      return null;
  }
}
