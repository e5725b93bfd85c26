import type { ReactNode } from 'react';
import type { Destination } from '../../../shared/contract/operations/destination.ts';
import { count, plural } from '../../model/text/format.ts';
import { exactly, when } from '../../model/time/time.ts';

const Row = ({ name, value, about, title }: { name: string; value: ReactNode; about?: string | undefined; title?: string | undefined }) => (
  <div className="grid grid-cols-[var(--spacing-side)_minmax(0,1fr)] items-baseline gap-3 border-line border-b py-1 max-split:grid-cols-1 max-split:gap-0">
    <dt className="text-fg-2 text-row">{name}</dt>
    <dd className="wrap-anywhere text-row tabular-nums" title={title}>
      {value}
      {about && <span className="text-fg-3">{` · ${about}`}</span>}
    </dd>
  </div>
);

const keyStorage = {
  durably: 'stored on this machine',
  until_restart: 'kept in memory until the gateway stops',
  environment: 'from GLASSHOUSE_FORWARD_KEY',
};

/** Figures of a destination, and the times of its last success and error. */
export function DestinationFacts({ destination }: { destination: Destination }) {
  const { waiting, sent, refused, refusal, dead_letters, spans_per_second: rate, last_success, last_error, receipt, key } = destination;
  const place = [destination.tenant_name, destination.app_name ?? destination.app_id, destination.environment].filter(Boolean).join(' / ');
  const others = [waiting.logs > 0 && plural(waiting.logs, 'log record'), waiting.scores > 0 && plural(waiting.scores, 'score')];
  return (
    <dl aria-label={`Figures of ${destination.name}`}>
      <Row name="App" value={place} />
      <Row name="Sent" value={plural(sent, 'span')} about={rate >= 1 ? `${count(rate)} per second` : undefined} />
      <Row
        name="Waiting"
        value={plural(waiting.spans, 'span')}
        about={[...others, waiting.oldest && `oldest ${when(waiting.oldest)}`].filter(Boolean).join(', ') || undefined}
        title={waiting.oldest ? exactly(waiting.oldest) : undefined}
      />
      <Row name="Rejected by the cloud" value={plural(refused, 'item')} about={refused > 0 ? refusal : undefined} />
      <Row name="Dead letters" value={count(dead_letters)} />
      <Row
        name="Last accepted"
        value={last_success ? when(last_success) : 'Never'}
        title={last_success ? exactly(last_success) : undefined}
        about={receipt ? `request ${receipt}` : undefined}
      />
      <Row
        name="Last error"
        value={last_error ? when(last_error.at) : 'None'}
        title={last_error ? exactly(last_error.at) : undefined}
        about={last_error ? [last_error.message, last_error.code].filter(Boolean).join(', ') : undefined}
      />
      <Row name="Key" value={key.shown ?? 'None'} about={keyStorage[key.kept]} />
    </dl>
  );
}
