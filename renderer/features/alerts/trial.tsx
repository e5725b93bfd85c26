import type { AlertTestResult } from '../../../shared/contract/operations/alert-delivery.ts';
import { Text } from '../../ui/primitives/text.tsx';

const words = {
  waiting: 'is on its way',
  delivered: 'arrived',
  failed: 'did not arrive',
  blocked: 'was not sent',
  skipped: 'was not sent',
};

/** Result of a test notification. */
export const Trial = ({ result: { state, answer } }: { result: AlertTestResult }) => (
  <Text tone={state === 'delivered' ? 'ok' : 'err'}>{`The test ${words[state]}${answer ? ` (${answer.replaceAll('_', ' ')})` : ''}.`}</Text>
);
