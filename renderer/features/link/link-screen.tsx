import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { asFailure, isNotFound } from '../../api/failure.ts';
import { useServed } from '../../api/served.ts';
import { ScreenHeader } from '../../ui/lists/list-screen.tsx';
import { Button, linkButton } from '../../ui/primitives/button.tsx';
import { EmptyState } from '../../ui/primitives/empty-state.tsx';
import { FailedState } from '../../ui/primitives/failed-state.tsx';
import { PageBody } from '../../ui/primitives/page-body.tsx';
import { SkeletonRows } from '../../ui/primitives/skeleton.tsx';
import { CodeForm } from './code-form.tsx';
import { DecideForm, type Decision } from './decide-form.tsx';
import { useWaitingDevice } from './link-query.ts';
import { shownCode } from './url.ts';

const route = getRouteApi('/link');

/** Approval page of device sign-in: code, requesting machine, and decision. */
export function LinkScreen() {
  const { code } = route.useSearch();
  const navigate = useNavigate();
  const isServed = useServed()('device_sign_in');
  const openCode = (typed: string) => void navigate({ to: '/link', search: { code: shownCode(typed) } });
  return (
    <>
      <title>Link a machine · Glasshouse</title>
      <ScreenHeader title="Link a machine" />
      {!isServed ? (
        <EmptyState
          title="Machines are linked in the cloud"
          action={
            <Link to="/forwarding" className={linkButton}>
              Open Cloud
            </Link>
          }
        >
          This page confirms the code of a machine, in the dashboard of the cloud that it links to. Start the link on this machine.
        </EmptyState>
      ) : code === undefined ? (
        <PageBody label="Link a machine">
          <CodeForm onCode={openCode} />
        </PageBody>
      ) : (
        <DeviceRequest key={code} code={shownCode(code)} onCode={openCode} onAnother={() => void navigate({ to: '/link', search: {} })} />
      )}
    </>
  );
}

interface DeviceRequestProps {
  code: string;
  onCode: (code: string) => void;
  onAnother: () => void;
}

function DeviceRequest({ code, onCode, onAnother }: DeviceRequestProps) {
  const device = useWaitingDevice(code);
  const [decision, setDecision] = useState<Decision | null>(null);
  if (decision !== null) return <Decided decision={decision} onAnother={onAnother} />;
  if (device.data)
    return (
      <PageBody label="Link a machine">
        <DecideForm code={code} device={device.data} onDecided={setDecision} />
      </PageBody>
    );
  if (device.isPending) return <SkeletonRows rows={4} label="Looking for the machine" />;
  if (!isNotFound(device.error))
    return <FailedState failure={asFailure(device.error, 'The code could not be looked up')} onRetry={() => void device.refetch()} />;
  return (
    <PageBody label="Link a machine">
      <CodeForm
        initialCode={code}
        problem="No machine is waiting with this code, or the code has expired. Check the code, or start again on the machine."
        onCode={onCode}
      />
    </PageBody>
  );
}

function Decided({ decision, onAnother }: { decision: Decision; onAnother: () => void }) {
  const another = <Button onClick={onAnother}>Link another machine</Button>;
  if (decision.is === 'denied')
    return (
      <OutcomeMessage title="Denied" action={another}>
        {`${decision.machine_name} gets no key and shows that the request was denied.`}
      </OutcomeMessage>
    );
  return (
    <OutcomeMessage title={`${decision.machine_name} is linked`} action={another}>
      {`It fetches its key within seconds and sends to ${decision.environment_name} of ${decision.app_name}. The key is listed in Settings under API keys, where it can be revoked.`}
    </OutcomeMessage>
  );
}

const OutcomeMessage = ({ title, action, children }: { title: string; action: ReactNode; children: string }) => (
  <div role="status" className="min-h-0 flex-1">
    <EmptyState title={title} action={action}>
      {children}
    </EmptyState>
  </div>
);
