import clsx from 'clsx';
import { useMemberNames } from '../../api/members.ts';
import { when } from '../../model/time/time.ts';
import { Text } from '../../ui/primitives/text.tsx';
import type { Alert, AlertChange } from './alerts-query.ts';
import { isMuted, valueInWords } from './words.ts';

/** Whether somebody has to look at an alert, and who does. Nothing for one that is resolved and not muted. */
export function AttentionLine({ alert, latest }: { alert: Alert; latest: AlertChange | undefined }) {
  const names = useMemberNames();
  const by = (id: string | null) => (id === null || names === null ? '' : ` by ${names.get(id) ?? 'a key or a former member'}`);
  const { status, metric, threshold, muted_until, muted_by, acknowledged_at, acknowledged_by, is_silenced } = alert;
  const isTriggered = status === 'triggered';
  const muted = isMuted(alert);
  if (!isTriggered && !muted) return null;
  const until = muted_until === 'resolved' ? 'it resolves' : when(String(muted_until));
  const sentences = [
    isTriggered && latest?.created_at && `Triggered ${when(latest.created_at)}.`,
    isTriggered && (acknowledged_at ? `Acknowledged${by(acknowledged_by)}: ${when(acknowledged_at)}.` : 'Nobody has acknowledged it.'),
    muted && `Muted${by(muted_by)} until ${until}${is_silenced ? '; nobody has been notified' : ''}.`,
  ].filter(Boolean);
  return (
    <section
      aria-label="Attention"
      className={clsx(
        'grid shrink-0 gap-1 border-line border-b border-l-2 px-pad py-2',
        isTriggered && acknowledged_at === null ? 'border-l-err' : 'border-l-transparent',
      )}
    >
      {isTriggered && latest && (
        <Text as="p" size="section">
          {`${valueInWords(metric, Number(latest.triggered_value))} when it triggered. The threshold is ${valueInWords(metric, threshold)}.`}
        </Text>
      )}
      <Text as="p" tone="quiet">
        {sentences.join(' ')}
      </Text>
    </section>
  );
}
