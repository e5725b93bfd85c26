import { type FormEvent, useState } from 'react';
import type { AlertSlackConnection } from '../../../shared/contract/operations/alert-destinations.ts';
import { asFailure } from '../../api/failure.ts';
import { useMay } from '../../api/identity.ts';
import { refusalOf, restOf } from '../../api/refusal.ts';
import { Button } from '../../ui/primitives/button.tsx';
import { Field } from '../../ui/primitives/field.tsx';
import { FormFoot } from '../../ui/primitives/form-foot.tsx';
import { useChannels, useRemoveSlack, useSaveSlack, useTestSlack } from './destinations-query.ts';
import { TestOutcome } from './test-outcome.tsx';

/** Form for the Slack bot and channel. @param saved null before Slack is connected */
export function SlackForm({ saved }: { saved: AlertSlackConnection | null }) {
  const save = useSaveSlack();
  const remove = useRemoveSlack();
  const test = useTestSlack();
  const channels = useChannels(saved !== null);
  const mayChange = useMay()('alert.write');
  const [token, setToken] = useState('');
  const [channel, setChannel] = useState(saved?.channel_id ?? '');
  const refusal = refusalOf(save.error ?? remove.error ?? test.error);
  const isBusy = save.isPending || remove.isPending || test.isPending;
  const channelName = channels.data?.find(({ id }) => id === channel)?.name;
  const channelHelp = channels.isError
    ? `The channels could not be loaded: ${asFailure(channels.error, '').why}`
    : 'Channel ID, such as C0123456789.';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (saved || token !== '') save.mutate({ channel_id: channel.trim() || null, ...(token !== '' && { token }) });
  };
  return (
    <form onSubmit={submit} aria-label="Slack" className="grid gap-3">
      <div className="grid grid-cols-2 gap-3">
        <Field
          label={saved ? 'New token' : 'Bot token'}
          value={token}
          disabled={!mayChange}
          placeholder={saved ? 'saved; never shown again' : 'xoxb-…'}
          problem={refusal.fields.token}
          onChange={(event) => setToken(event.target.value)}
        />
        <Field
          label="Channel"
          list="slack-channels"
          value={channel}
          disabled={!mayChange}
          placeholder="C0123456789"
          problem={refusal.fields.channel_id}
          help={channelName ? `#${channelName}` : channelHelp}
          onChange={(event) => setChannel(event.target.value)}
        />
        <datalist id="slack-channels">
          {(channels.data ?? [])
            .filter(({ is_archived }) => !is_archived)
            .map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
        </datalist>
      </div>
      {mayChange && (
        <FormFoot problem={restOf(refusal, ['token', 'channel_id'])}>
          <Button submit disabled={(saved === null && token === '') || isBusy}>
            {saved ? 'Save' : 'Connect Slack'}
          </Button>
          {saved && (
            <>
              <Button disabled={isBusy} onClick={() => test.mutate()}>
                Send test
              </Button>
              <Button disabled={isBusy} onClick={() => remove.mutate(null)}>
                Disconnect
              </Button>
            </>
          )}
          {test.data && <TestOutcome result={test.data} />}
        </FormFoot>
      )}
    </form>
  );
}
