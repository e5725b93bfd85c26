import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleAlert, Clock, Database, Hourglass, TrendingUp } from 'lucide-react';
import { useMemo } from 'react';
import { gateway } from '../../api/client.ts';
import { Icon } from '../../ui/primitives/icon.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import type { Shown } from './activity-query.ts';
import { type Finding, findingsOf } from './findings.ts';
import { tracesSearch } from './open-traces.ts';

const icons = {
  error: { of: CircleAlert, tone: 'err' },
  cost: { of: TrendingUp, tone: 'warm' },
  slow: { of: Clock, tone: 'warm' },
  running: { of: Hourglass, tone: 'ok' },
  cache: { of: Database, tone: 'warm' },
} as const;

/** The failures of the period. They are read again when the figures are. */
function useErrorGroups({ view: { filter, environment }, period: { from, to } }: Shown, updatedAt: number) {
  const query = { from, to, ...(filter !== undefined && { filter }), ...(environment !== undefined && { environment }) };
  const queryKey = useMemo(() => ['activity-errors', from, to, filter, environment, updatedAt], [from, to, filter, environment, updatedAt]);
  return useQuery({
    queryKey,
    queryFn: async () => (await gateway.errorGroups.list({ query })).data,
    placeholderData: (before) => before,
    gcTime: 0,
  });
}

/** At most five causes with their size, each a link. */
export function FindingList({ data, updatedAt }: { data: Shown; updatedAt: number }) {
  const { data: errors, isError, refetch } = useErrorGroups(data, updatedAt);
  const findings = findingsOf(data, errors?.groups ?? [], updatedAt);
  return (
    <aside aria-label="Needs a look" className="min-w-0 py-2">
      <Text as="h2" strong className="px-pad">
        Needs a look
      </Text>
      {isError && (
        <p className="px-pad py-1 text-fg-3 text-row">
          The failures could not be read.{' '}
          <button type="button" onClick={() => void refetch()} className="text-accent hover:underline">
            Try again
          </button>
        </p>
      )}
      {errors && findings.length === 0 && (
        <p className="px-pad py-1 text-fg-3 text-row">Nothing failed, and nothing is much worse than before.</p>
      )}
      <ul className="grid split:grid-cols-2 sidebar:grid-cols-1">
        {findings.map((finding) => (
          <li key={finding.id}>
            <FindingLink finding={finding} data={data} />
          </li>
        ))}
      </ul>
      {errors && !errors.is_whole && <p className="px-pad py-1 text-fg-3 text-label">Failures are those of the newest traces.</p>}
    </aside>
  );
}

function FindingLink({ finding, data }: { finding: Finding; data: Shown }) {
  const { kind, title, note, size, opens } = finding;
  const { of, tone } = icons[kind];
  const content = (
    <>
      <Text tone={tone} className="pt-0.5">
        <Icon of={of} size="small" />
      </Text>
      <span className="grid min-w-0 flex-1">
        <Text strong cut title={title}>
          {title}
        </Text>
        <Text size="label" tone="quiet" cut title={note}>
          {note}
        </Text>
      </span>
      <Text tone={tone} className="shrink-0 tabular-nums">
        {size}
      </Text>
    </>
  );
  const className = 'flex min-w-0 items-start gap-2 px-pad py-1 hover:bg-hover';
  return 'trace' in opens ? (
    <Link to="/traces/$traceId" params={{ traceId: opens.trace }} className={className}>
      {content}
    </Link>
  ) : (
    <Link to="/traces" search={tracesSearch(data.view, data.period, opens.clause)} className={className}>
      {content}
    </Link>
  );
}
