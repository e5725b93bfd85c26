import type { AlertTestResult } from '../../../shared/contract/operations/alert-delivery.ts';
import { Text } from '../../ui/primitives/text.tsx';

const outcomes = {
  waiting: 'is being sent',
  delivered: 'was delivered',
  failed: 'was not delivered',
  blocked: 'was not sent',
  skipped: 'was not sent',
};

/** Result of a test notification. */
export const TestOutcome = ({ result: { state, answer } }: { result: AlertTestResult }) => (
  <Text
    tone={state === 'delivered' ? 'ok' : 'err'}
  >{`The test notification ${outcomes[state]}${answer ? ` (${answer.replaceAll('_', ' ')})` : ''}.`}</Text>
);
