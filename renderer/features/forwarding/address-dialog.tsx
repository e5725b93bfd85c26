import { type FormEvent, useState } from 'react';
import type { Destination } from '../../../shared/contract/operations/destination.ts';
import { refusalOf, restOf } from '../../api/refusal.ts';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Button } from '../../ui/primitives/button.tsx';
import { Field } from '../../ui/primitives/field.tsx';
import { FormFoot } from '../../ui/primitives/form-foot.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { useChangeOf } from './forwarding-query.ts';

/** Dialog to change address, app or key. A key belongs to one address, so a new address requires a new key. */
export function AddressDialog({ destination, onClose }: { destination: Destination; onClose: () => void }) {
  const change = useChangeOf(destination.name);
  const [draft, setDraft] = useState({ url: destination.url, app_id: destination.app_id, key: '' });
  const refusal = refusalOf(change.error);
  const isNewAddress = draft.url.trim() !== destination.url;
  const isReady = draft.url.trim() !== '' && draft.app_id.trim() !== '' && !change.isPending;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isReady) return;
    const key = draft.key.trim();
    change.mutate({ url: draft.url.trim(), app_id: draft.app_id.trim(), ...(key !== '' && { key }) }, { onSuccess: onClose });
  };
  return (
    <Dialog title={`Address and key of ${destination.name}`} onClose={onClose}>
      <form onSubmit={submit} aria-label="Address and key" className="grid gap-3">
        <Field
          label="Cloud address"
          value={draft.url}
          problem={refusal.fields.url}
          onChange={(event) => setDraft({ ...draft, url: event.target.value })}
        />
        <Field
          label="App ID"
          value={draft.app_id}
          problem={refusal.fields.app_id}
          onChange={(event) => setDraft({ ...draft, app_id: event.target.value })}
        />
        <Field
          label="New key"
          type="password"
          autoFocus
          value={draft.key}
          placeholder={isNewAddress ? 'sk_service_…' : (destination.key.shown ?? 'sk_service_…')}
          problem={refusal.fields.key}
          help={isNewAddress ? 'The key of the old address is deleted.' : 'Leave empty to keep the current key.'}
          onChange={(event) => setDraft({ ...draft, key: event.target.value })}
        />
        <Text as="p" tone="dim">
          Data waiting to be sent goes to the new address. Data already sent stays where it is.
        </Text>
        <FormFoot problem={restOf(refusal, ['url', 'app_id', 'key'])}>
          <Button submit primary disabled={!isReady} aria-busy={change.isPending}>
            Save
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </FormFoot>
      </form>
    </Dialog>
  );
}
