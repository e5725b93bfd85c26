import { useQuery } from '@tanstack/react-query';
import type { TenantUsage } from '../../../shared/contract/operations/usage.ts';
import { gateway } from '../../api/client.ts';
import { asFailure } from '../../api/failure.ts';
import { useFollow } from '../../api/queries.ts';
import { bytes, count, percent } from '../../model/text/format.ts';
import { ScreenHeader } from '../../ui/lists/list-screen.tsx';
import { FailedState } from '../../ui/primitives/failed-state.tsx';
import { PageBody } from '../../ui/primitives/page-body.tsx';
import { Pill } from '../../ui/primitives/pill.tsx';
import { SkeletonRows } from '../../ui/primitives/skeleton.tsx';
import { Text } from '../../ui/primitives/text.tsx';

const queryKey = ['usage'];
const always = () => true;
/** Share of a limit from which a warning colour is used. */
const warningShare = 0.8;

/** Usage of the team against its plan. */
export function UsageScreen() {
  useFollow(queryKey, always);
  const usage = useQuery({ queryKey, queryFn: async () => (await gateway.usage.get()).data, staleTime: 0 });
  return (
    <>
      <title>Usage · Glasshouse</title>
      <ScreenHeader title="Usage">{usage.data && <Pill>{`Plan: ${usage.data.plan}`}</Pill>}</ScreenHeader>
      {usage.data ? (
        <PageBody label="Usage">
          <UsageDetails usage={usage.data} />
        </PageBody>
      ) : usage.isError ? (
        <FailedState failure={asFailure(usage.error, 'Usage could not be loaded')} onRetry={() => void usage.refetch()} />
      ) : (
        <SkeletonRows rows={6} label="Loading usage" />
      )}
    </>
  );
}

const UsageDetails = ({ usage }: { usage: TenantUsage }) => (
  <>
    <section className="grid gap-1">
      <Text as="h2" size="section" strong>
        Ingest
      </Text>
      <Meter
        name={`Spans in ${usage.month}`}
        of={usage.spans}
        text={count}
        about="over all apps; resets on the first of the month at 0:00 UTC"
      />
      <Meter name="Stored data" of={usage.bytes} text={bytes} about="over all apps, before compression" />
      <Text as="p" tone="dim">
        Requests beyond a limit are rejected with 429, never dropped silently, so that exporters report them.
      </Text>
    </section>
    <section className="grid gap-1">
      <Text as="h2" size="section" strong>
        Resources
      </Text>
      <Meter name="Apps" of={usage.apps} text={count} about="of the team" />
      <Meter name="Members" of={usage.members} text={count} about="of the team" />
      <Meter name="Environments" of={usage.environments} text={count} about="of this app" />
      <Meter name="API keys" of={usage.api_keys} text={count} about="of this app" />
      <Text as="p" tone="dim">
        {usage.alerts_enabled ? 'Alerts are part of the plan.' : 'Alerts are not part of the plan.'}
      </Text>
    </section>
  </>
);

interface MeterProps {
  name: string;
  of: { used: number; limit: number | null };
  text: (value: number) => string;
  about: string;
}

function Meter({ name, of: { used, limit }, text, about }: MeterProps) {
  const share = limit === null ? 0 : limit === 0 ? 1 : Math.min(1, used / limit);
  const tone = share >= 1 ? 'err' : share >= warningShare ? 'warm' : 'fg';
  return (
    <div className="grid grid-cols-[var(--width-name)_var(--spacing-side)_minmax(0,1fr)] items-center gap-3 border-line border-b py-1.5">
      <Text tone="quiet">{name}</Text>
      <span className="grid gap-1">
        <Text tone={tone} className="tabular-nums">
          {limit === null ? `${text(used)}, no limit` : `${text(used)} of ${text(limit)}, ${percent(share)}`}
        </Text>
        {limit !== null && (
          <meter
            min={0}
            max={1}
            value={share}
            aria-label={`${name} used`}
            className="h-edge w-full appearance-none overflow-hidden rounded-pill [&::-webkit-meter-bar]:h-edge [&::-webkit-meter-bar]:rounded-pill [&::-webkit-meter-bar]:border-0 [&::-webkit-meter-bar]:bg-raised [&::-webkit-meter-optimum-value]:bg-accent"
          />
        )}
      </span>
      <Text tone="dim">{about}</Text>
    </div>
  );
}
