import { Link } from '@tanstack/react-router';
import { useId } from 'react';
import { useMemberNames } from '../../api/members.ts';
import { CheckField } from '../../ui/primitives/check-field.tsx';
import { SelectField } from '../../ui/primitives/select-field.tsx';
import { type AlertFields, existing } from './alert-draft.ts';
import { channelKinds } from './channel-words.ts';
import { useAlertChannels } from './channels-query.ts';
import { ownerInWords } from './words.ts';

/** As many as the gateway takes. */
const chosenMax = 10;

interface ReceiverFieldsProps {
  fields: AlertFields;
  set: (change: Partial<AlertFields>) => void;
  problems: Readonly<Record<string, string>>;
}

/** Who is responsible for an alert, and who is told. */
export function ReceiverFields({ fields, set, problems }: ReceiverFieldsProps) {
  const channels = useAlertChannels().data;
  const names = useMemberNames();
  const channel_ids = existing(fields.channel_ids, channels?.channels);
  const isFull = channel_ids.length >= chosenMax;
  const problemId = useId();
  const problem = problems.channel_ids ?? (isFull ? `An alert notifies at most ${chosenMax} channels.` : undefined);
  const isFormer = fields.owner_id !== '' && !names?.has(fields.owner_id);
  const owners = [
    { id: '', label: 'Nobody' },
    ...[...(names ?? [])].map(([id, label]) => ({ id, label })),
    ...(isFormer ? [{ id: fields.owner_id, label: ownerInWords({ owner_id: fields.owner_id }, names) }] : []),
  ];
  const choose = (id: string, isOn: boolean) =>
    set({ channel_ids: isOn ? [...channel_ids, id] : channel_ids.filter((other) => other !== id) });
  return (
    <>
      <SelectField
        label="Owner"
        options={owners}
        value={fields.owner_id}
        onChange={(owner_id) => set({ owner_id })}
        problem={problems.owner_id}
        help={channels?.kinds.includes('email') ? 'Is told by e-mail.' : undefined}
      />
      <fieldset aria-label="Notify" aria-describedby={problem && problemId} className="grid">
        <CheckField label="Webhook" help="of the environment" isOn={fields.use_webhook} onChange={(use_webhook) => set({ use_webhook })} />
        <CheckField label="Slack" help="channel of the app" isOn={fields.use_slack} onChange={(use_slack) => set({ use_slack })} />
        {(channels?.channels ?? []).map(({ id, name, kind }) => (
          <CheckField
            key={id}
            label={name}
            help={channelKinds[kind].label}
            isOn={channel_ids.includes(id)}
            isDisabled={isFull && !channel_ids.includes(id)}
            onChange={(isOn) => choose(id, isOn)}
          />
        ))}
        {problem && (
          <p id={problemId} className={problems.channel_ids ? 'text-err text-label' : 'text-fg-3 text-label'}>
            {problem}
          </p>
        )}
        <Link to="/settings/destinations" className="text-accent text-label hover:underline">
          Configure destinations
        </Link>
      </fieldset>
    </>
  );
}
