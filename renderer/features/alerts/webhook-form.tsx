import { type FormEvent, useState } from 'react';
import type { AlertWebhook } from '../../../shared/contract/operations/alert-destinations.ts';
import { useMay } from '../../api/identity.ts';
import { refusalOf, restOf } from '../../api/refusal.ts';
import { Button } from '../../ui/primitives/button.tsx';
import { Field } from '../../ui/primitives/field.tsx';
import { FormFoot } from '../../ui/primitives/form-foot.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { useRemoveWebhook, useSaveWebhook, useTestWebhook } from './destinations-query.ts';
import { TestOutcome } from './test-outcome.tsx';

interface WebhookFormProps {
  environmentId: string;
  /** Null before a webhook is set. */
  saved: AlertWebhook | null;
}

const secretBytes = 32;

/** Random secret, as hexadecimal text. */
const newSecret = (): string =>
  [...crypto.getRandomValues(new Uint8Array(secretBytes))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** Form for the URL that the alerts of an environment are posted to, and the secret that signs them. */
export function WebhookForm({ environmentId, saved }: WebhookFormProps) {
  const save = useSaveWebhook(environmentId);
  const remove = useRemoveWebhook(environmentId);
  const test = useTestWebhook(environmentId);
  const mayChange = useMay()('alert.write');
  const [url, setUrl] = useState(saved?.url ?? '');
  const [secret, setSecret] = useState('');
  const refusal = refusalOf(save.error ?? remove.error ?? test.error);
  const isBusy = save.isPending || remove.isPending || test.isPending;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (url.trim() !== '') save.mutate({ url: url.trim(), ...(secret !== '' && { secret }) });
  };
  return (
    <form onSubmit={submit} aria-label="Webhook" className="grid gap-3">
      <Field
        label="URL"
        value={url}
        disabled={!mayChange}
        placeholder="https://hooks.example.com/glasshouse"
        problem={refusal.fields.url}
        onChange={(event) => setUrl(event.target.value)}
      />
      <div className="flex items-end gap-2">
        <div className="flex-1">
          <Field
            label={saved?.has_secret ? 'New secret' : 'Secret'}
            value={secret}
            disabled={!mayChange}
            placeholder={saved?.has_secret ? 'saved; never shown again' : 'at least 16 characters'}
            problem={refusal.fields.secret}
            onChange={(event) => setSecret(event.target.value)}
          />
        </div>
        {mayChange && <Button onClick={() => setSecret(newSecret())}>Generate</Button>}
      </div>
      <Text as="p" tone={saved && !saved.has_secret ? 'warm' : 'dim'}>
        {saved && !saved.has_secret
          ? 'Nothing is sent until a secret is set.'
          : 'The receiving service needs it to verify signatures. After a change, notifications are signed with both secrets for 24 hours.'}
      </Text>
      {mayChange && (
        <FormFoot problem={restOf(refusal, ['url', 'secret'])}>
          <Button submit primary disabled={url.trim() === '' || isBusy}>
            Save webhook
          </Button>
          {saved && (
            <>
              <Button disabled={isBusy} onClick={() => test.mutate()}>
                Send test
              </Button>
              <Button disabled={isBusy} onClick={() => remove.mutate(null)}>
                Remove webhook
              </Button>
            </>
          )}
          {test.data && <TestOutcome result={test.data} />}
        </FormFoot>
      )}
    </form>
  );
}
