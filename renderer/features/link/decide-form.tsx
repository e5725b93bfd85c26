import { type FormEvent, useState } from 'react';
import { useAppId, useMay, useMe } from '../../api/identity.ts';
import { refusalOf, restOf } from '../../api/refusal.ts';
import { when } from '../../model/time/time.ts';
import { Button } from '../../ui/primitives/button.tsx';
import { CheckField } from '../../ui/primitives/check-field.tsx';
import { FormFoot } from '../../ui/primitives/form-foot.tsx';
import { SelectField } from '../../ui/primitives/select-field.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { useApprove, useDeny, useEnvironmentsOf, type WaitingDevice } from './link-query.ts';

export type Decision =
  | { is: 'denied'; machine_name: string }
  | { is: 'linked'; machine_name: string; app_name: string; environment_name: string };

interface DecideFormProps {
  code: string;
  device: WaitingDevice;
  onDecided: (decision: Decision) => void;
}

/**
 * Shows the requesting machine and what its key would allow. The user has to compare the code, because a victim of phishing sees it on no
 * machine of their own.
 */
export function DecideForm({ code, device, onDecided }: DecideFormProps) {
  const { machine_name } = device;
  const me = useMe();
  const apps = me?.apps ?? [];
  const shownApp = useAppId();
  const [appId, setAppId] = useState(shownApp ?? '');
  const [selectedEnvironment, setSelectedEnvironment] = useState<string | null>(null);
  const [isConfirmed, setConfirmed] = useState(false);
  const environments = useEnvironmentsOf(appId).data;
  const environment_name = selectedEnvironment ?? environments?.[0]?.name ?? '';
  const [approve, deny] = [useApprove(appId), useDeny()];
  const mayApprove = useMay()('api_key.insert');
  const isBusy = approve.isPending || deny.isPending;
  const isReady = isConfirmed && environment_name !== '' && !isBusy;
  const refusal = refusalOf(approve.error ?? deny.error);
  const app_name = apps.find(({ id }) => id === appId)?.name ?? '';

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isReady || !mayApprove) return;
    const onSuccess = () => onDecided({ is: 'linked', machine_name, app_name, environment_name });
    approve.mutate({ user_code: code, environment_name }, { onSuccess });
  };
  return (
    <form onSubmit={submit} aria-label="Approve or deny" className="grid w-form max-w-full gap-4">
      <RequestFacts code={code} device={device} />
      {mayApprove ? (
        <>
          <CheckField label="The machine in front of me shows this code" isOn={isConfirmed} onChange={setConfirmed} />
          <SelectField
            label={`App of ${me?.tenant.name ?? 'the team'}`}
            options={apps.map(({ id, name }) => ({ id, label: name }))}
            value={appId}
            onChange={(id) => {
              setAppId(id);
              setSelectedEnvironment(null);
            }}
          />
          <SelectField
            label="Environment"
            options={(environments ?? []).map(({ name }) => ({ id: name, label: name }))}
            value={environment_name}
            onChange={setSelectedEnvironment}
            problem={refusal.fields.environment_name}
            help="Environment of its traces. Its key can send traces and scores, but cannot read anything."
          />
        </>
      ) : (
        <Text tone="quiet">Your role cannot create keys. Ask someone whose role can to open this page.</Text>
      )}
      <FormFoot problem={restOf(refusal, ['environment_name'])}>
        {mayApprove && (
          <Button submit primary disabled={!isReady}>
            Approve
          </Button>
        )}
        <Button disabled={isBusy} onClick={() => deny.mutate(code, { onSuccess: () => onDecided({ is: 'denied', machine_name }) })}>
          Deny
        </Button>
      </FormFoot>
    </form>
  );
}

function RequestFacts({ code, device: { machine_name, product_version, ip, created_at } }: Pick<DecideFormProps, 'code' | 'device'>) {
  const facts = [
    ['Machine', machine_name],
    ['IP address', ip ?? 'unknown'],
    ['Requested', when(created_at)],
    ['Glasshouse version', product_version],
  ] as const;
  return (
    <section aria-label="Request" className="grid gap-2">
      <Text as="h2" size="title" strong mono>
        {code}
      </Text>
      <Text as="p" tone="quiet">
        Compare this code with the one on your machine. If you did not start this yourself, or the codes differ, deny it.
      </Text>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)]">
        {facts.map(([name, value]) => (
          <div key={name} className="col-span-2 grid grid-cols-subgrid gap-3 border-line border-b py-1.5">
            <dt className="text-fg-2 text-row">{name}</dt>
            <dd className="wrap-anywhere text-row tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
