import { type FormEvent, useState } from 'react';
import type { AlertChannel, AlertChannelKind } from '../../../shared/contract/operations/alert-channels.ts';
import { refusalOf, restOf } from '../../api/refusal.ts';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Button } from '../../ui/primitives/button.tsx';
import { Field } from '../../ui/primitives/field.tsx';
import { FormFoot } from '../../ui/primitives/form-foot.tsx';
import { SelectField } from '../../ui/primitives/select-field.tsx';
import { channelKinds } from './channel-words.ts';
import { useAddChannel, useChangeChannel } from './channels-query.ts';

interface ChannelFormProps {
  /** Edited channel; null for a new one. */
  channel: AlertChannel | null;
  kinds: readonly AlertChannelKind[];
  onClose: () => void;
}

const saved = 'saved; never shown again';

/** Form of a channel. Its address and secret are written, never read. */
export function ChannelForm({ channel, kinds, onClose }: ChannelFormProps) {
  const add = useAddChannel();
  const change = useChangeChannel(channel?.id ?? '');
  const [kind, setKind] = useState<AlertChannelKind>(channel?.kind ?? 'webhook');
  const [name, setName] = useState(channel?.name ?? '');
  const [address, setAddress] = useState('');
  const [secret, setSecret] = useState('');
  const refusal = refusalOf(add.error ?? change.error);
  const words = channelKinds[kind];
  const isReady = name.trim() !== '' && (channel !== null || address.trim() !== '') && !add.isPending && !change.isPending;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isReady) return;
    const secrets = kind === 'webhook' && secret !== '' ? { secret } : {};
    if (channel === null) add.mutate({ kind, name: name.trim(), address: address.trim(), ...secrets }, { onSuccess: onClose });
    else change.mutate({ name: name.trim(), ...(address.trim() && { address: address.trim() }), ...secrets }, { onSuccess: onClose });
  };
  return (
    <Dialog title={channel ? `Edit ${channel.name}` : 'Add channel'} onClose={onClose}>
      <form onSubmit={submit} aria-label="Channel" className="grid gap-3">
        {channel === null && (
          <SelectField
            label="Kind"
            options={kinds.map((id) => ({ id, label: channelKinds[id].label }))}
            value={kind}
            onChange={setKind}
            problem={refusal.fields.kind}
            help={words.help}
          />
        )}
        <Field
          label="Name"
          autoFocus
          value={name}
          placeholder="On call"
          problem={refusal.fields.name}
          onChange={(event) => setName(event.target.value)}
        />
        <Field
          label={channel ? `New ${words.address}` : words.address}
          value={address}
          autoComplete="off"
          placeholder={channel ? saved : words.placeholder}
          problem={refusal.fields.address}
          onChange={(event) => setAddress(event.target.value)}
        />
        {kind === 'webhook' && <SecretField isNew={channel === null} value={secret} problem={refusal.fields.secret} onChange={setSecret} />}
        <FormFoot problem={restOf(refusal, ['kind', 'name', 'address', 'secret'])}>
          <Button submit primary disabled={!isReady}>
            {channel ? 'Save channel' : 'Add channel'}
          </Button>
        </FormFoot>
      </form>
    </Dialog>
  );
}

interface SecretFieldProps {
  isNew: boolean;
  value: string;
  problem: string | undefined;
  onChange: (secret: string) => void;
}

const SecretField = ({ isNew, value, problem, onChange }: SecretFieldProps) => (
  <Field
    label={isNew ? 'Secret' : 'New secret'}
    value={value}
    autoComplete="off"
    placeholder={isNew ? 'at least 16 characters' : saved}
    problem={problem}
    help="The receiving service needs it to verify signatures."
    onChange={(event) => onChange(event.target.value)}
  />
);
