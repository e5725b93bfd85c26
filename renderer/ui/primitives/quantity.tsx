import clsx from 'clsx';
import { duration } from '../../model/text/format.ts';
import { milliseconds } from '../../model/time/time.ts';

/** A number in a column, with its unit. An unknown value is a dash with the reason, never 0. */
export function Quantity({
  value,
  unknown,
  title,
  hot,
}: {
  value: string | null;
  unknown?: string;
  title?: string | undefined;
  hot?: boolean;
}) {
  return (
    <span
      title={value === null ? unknown : title}
      className={clsx('num block overflow-hidden text-row', hot ? 'text-warm' : value === null ? 'text-fg-3' : 'text-fg-2')}
    >
      {value ?? '—'}
    </span>
  );
}

/** Duration of a trace, unknown until it has ended. */
export const Latency = ({ trace: { running, latency_ms } }: { trace: { running: number; latency_ms: number } }) => (
  <Quantity value={running > 0 ? null : duration(milliseconds(latency_ms))} unknown="Still running" />
);
