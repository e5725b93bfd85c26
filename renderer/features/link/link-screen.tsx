import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { asFailure, isNotFound } from '../../api/failure.ts';
import { useServed } from '../../api/served.ts';
import { ScreenHeader } from '../../ui/lists/list-screen.tsx';
import { Button } from '../../ui/primitives/button.tsx';
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
  const look = (typed: string) => void navigate({ to: '/link', search: { code: shownCode(typed) } });
  return (
    <>
      <title>Link a machine · Glasshouse</title>
      <ScreenHeader title="Link a machine" />
      {!isServed ? (
        <EmptyState title="Machines are linked in the cloud">Open this page in the dashboard of the cloud that is linked to.</EmptyState>
      ) : code === undefined ? (
        <PageBody label="Link a machine">
          <CodeForm onCode={look} />
        </PageBody>
      ) : (
        <Waiting key={code} code={shownCode(code)} onCode={look} onAnother={() => void navigate({ to: '/link', search: {} })} />
      )}
    </>
  );
}

interface WaitingProps {
  code: string;
  onCode: (code: string) => void;
  onAnother: () => void;
}

function Waiting({ code, onCode, onAnother }: WaitingProps) {
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
        first={code}
        problem="No machine is waiting with this code, or the code has expired. Compare it, or begin again on the machine."
        onCode={onCode}
      />
    </PageBody>
  );
}

function Decided({ decision, onAnother }: { decision: Decision; onAnother: () => void }) {
  const another = <Button onClick={onAnother}>Link another</Button>;
  if (decision.is === 'denied')
    return (
      <Said title="Denied" action={another}>
        {`${decision.machine_name} gets no key, and shows that it was denied.`}
      </Said>
    );
  return (
    <Said title={`${decision.machine_name} is linked`} action={another}>
      {`It fetches its key within seconds and sends to ${decision.environment_name} of ${decision.app_name}. The key is in the settings, under API keys, and can be revoked there.`}
    </Said>
  );
}

const Said = ({ title, action, children }: { title: string; action: ReactNode; children: string }) => (
  <div role="status" className="min-h-0 flex-1">
    <EmptyState title={title} action={action}>
      {children}
    </EmptyState>
  </div>
);
