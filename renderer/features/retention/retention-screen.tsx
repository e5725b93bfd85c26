import { asFailure } from '../../api/failure.ts';
import { useMay } from '../../api/identity.ts';
import { plural } from '../../model/text/format.ts';
import { ScreenHeader } from '../../ui/lists/list-screen.tsx';
import { FailedState } from '../../ui/primitives/failed-state.tsx';
import { PageBody } from '../../ui/primitives/page-body.tsx';
import { Pill } from '../../ui/primitives/pill.tsx';
import { SkeletonRows } from '../../ui/primitives/skeleton.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { RetentionForm } from './retention-form.tsx';
import { useRetention } from './retention-query.ts';

/** How long the traces of the app are kept. */
export function RetentionScreen() {
  const retention = useRetention();
  const mayChange = useMay()('trace.delete');
  return (
    <>
      <title>Retention · Glasshouse</title>
      <ScreenHeader title="Retention">
        {retention.data?.plan_days && <Pill>{`Plan: at most ${plural(retention.data.plan_days, 'day')}`}</Pill>}
      </ScreenHeader>
      {retention.data ? (
        <PageBody label="Retention">
          <Text as="p" tone="dim">
            Traces older than these limits are deleted within a few hours, with their scores and everything that is stored of them. The age
            of a trace is counted from its start, in whole days in UTC. Each deletion is in the audit log. Backups keep what they have.
          </Text>
          <RetentionForm retention={retention.data} mayChange={mayChange} />
        </PageBody>
      ) : retention.isError ? (
        <FailedState failure={asFailure(retention.error, 'The rules could not be loaded')} onRetry={() => void retention.refetch()} />
      ) : (
        <SkeletonRows rows={4} label="Loading the rules" />
      )}
    </>
  );
}
