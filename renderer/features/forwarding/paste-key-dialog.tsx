import { type FormEvent, useState } from 'react';
import { refusalOf, restOf } from '../../api/refusal.ts';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Button } from '../../ui/primitives/button.tsx';
import { Field } from '../../ui/primitives/field.tsx';
import { FormFoot } from '../../ui/primitives/form-foot.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { BeginChoices, usualBeginning } from './begin-choices.tsx';
import { useCreate } from './forwarding-query.ts';

const fields = ['name', 'url', 'app_id', 'key'];

/** A name that is free. */
const freeName = (taken: readonly string[]): string => {
  for (let number = 1; ; number++) {
    const name = number === 1 ? 'cloud' : `cloud-${number}`;
    if (!taken.includes(name)) return name;
  }
};

/** Turns forwarding on with a key that was made in the cloud. It is tried before it is kept. */
export function PasteKeyDialog({ taken, onClose }: { taken: readonly string[]; onClose: () => void }) {
  const create = useCreate();
  const [draft, setDraft] = useState(() => ({ name: freeName(taken), url: '', app_id: '', key: '', ...usualBeginning }));
  const { name, url, app_id, key } = draft;
  const refusal = refusalOf(create.error);
  const isReady = [name, url, app_id, key].every((each) => each.trim() !== '') && !create.isPending;
  const set = (change: Partial<typeof draft>) => setDraft({ ...draft, ...change });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isReady) return;
    create.mutate({ ...draft, url: url.trim(), app_id: app_id.trim(), key: key.trim() }, { onSuccess: onClose });
  };
  return (
    <Dialog title="Forward to a cloud" onClose={onClose}>
      <form onSubmit={submit} aria-label="Forward to a cloud" className="grid gap-3">
        <Text as="p" tone="dim">
          Make a key in the cloud, under Settings, API keys. One that only sends traces is enough, and safer.
        </Text>
        <Field
          label="Address of the cloud"
          autoFocus
          value={url}
          placeholder="https://glasshouse.example.com"
          problem={refusal.fields.url}
          onChange={(event) => set({ url: event.target.value })}
        />
        <div className="grid grid-cols-2 gap-3">
          <Field
            label="App id"
            value={app_id}
            problem={refusal.fields.app_id}
            help="Under Settings, Apps."
            onChange={(event) => set({ app_id: event.target.value })}
          />
          <Field label="Name here" value={name} problem={refusal.fields.name} onChange={(event) => set({ name: event.target.value })} />
        </div>
        <Field
          label="Key"
          type="password"
          value={key}
          placeholder="sk_service_…"
          problem={refusal.fields.key}
          help="Stored separately from traces, and never shown again."
          onChange={(event) => set({ key: event.target.value })}
        />
        <BeginChoices value={draft} onChange={set} />
        <FormFoot problem={restOf(refusal, fields)}>
          <Button submit primary disabled={!isReady} aria-busy={create.isPending}>
            {create.isPending ? 'Trying the key…' : 'Turn forwarding on'}
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </FormFoot>
      </form>
    </Dialog>
  );
}
