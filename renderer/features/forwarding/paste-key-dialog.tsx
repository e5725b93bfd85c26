import { type FormEvent, useState } from 'react';
import { refusalOf, restOf } from '../../api/refusal.ts';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Button } from '../../ui/primitives/button.tsx';
import { Field } from '../../ui/primitives/field.tsx';
import { FormFoot } from '../../ui/primitives/form-foot.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { useCreate } from './forwarding-query.ts';
import { defaultStartOptions, StartOptionFields } from './start-options.tsx';

const fields = ['name', 'url', 'app_id', 'key'];

/** First free destination name. */
const freeName = (taken: readonly string[]): string => {
  for (let number = 1; ; number++) {
    const name = number === 1 ? 'cloud' : `cloud-${number}`;
    if (!taken.includes(name)) return name;
  }
};

/** Dialog to turn on forwarding with a key created in the cloud. The gateway tests the key before it stores it. */
export function PasteKeyDialog({ taken, onClose }: { taken: readonly string[]; onClose: () => void }) {
  const create = useCreate();
  const [draft, setDraft] = useState(() => ({ name: freeName(taken), url: '', app_id: '', key: '', ...defaultStartOptions }));
  const { name, url, app_id, key } = draft;
  const refusal = refusalOf(create.error);
  const isReady = [name, url, app_id, key].every((field) => field.trim() !== '') && !create.isPending;
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
          Create a key in the cloud under Settings, API keys. A key that can only send traces is enough, and safer.
        </Text>
        <Field
          label="Cloud address"
          autoFocus
          value={url}
          placeholder="https://glasshouse.example.com"
          problem={refusal.fields.url}
          onChange={(event) => set({ url: event.target.value })}
        />
        <div className="grid grid-cols-2 gap-3">
          <Field
            label="App ID"
            value={app_id}
            problem={refusal.fields.app_id}
            help="In the cloud under Settings, Apps."
            onChange={(event) => set({ app_id: event.target.value })}
          />
          <Field
            label="Name on this machine"
            value={name}
            problem={refusal.fields.name}
            onChange={(event) => set({ name: event.target.value })}
          />
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
        <StartOptionFields value={draft} onChange={set} />
        <FormFoot problem={restOf(refusal, fields)}>
          <Button submit primary disabled={!isReady} aria-busy={create.isPending}>
            {create.isPending ? 'Testing the key…' : 'Turn on forwarding'}
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </FormFoot>
      </form>
    </Dialog>
  );
}
