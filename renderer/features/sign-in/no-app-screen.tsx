import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { signInClient } from '../../api/client.ts';
import { asFailure } from '../../api/failure.ts';
import type { Me } from '../../api/identity.ts';
import { enterApp, signOut } from '../../api/sign-in.ts';
import { Button } from '../../ui/primitives/button.tsx';
import { Field } from '../../ui/primitives/field.tsx';
import { Text } from '../../ui/primitives/text.tsx';

/** Shown for a team without any app. */
export function NoAppScreen({ me }: { me: Me }) {
  const [name, setName] = useState('');
  const create = useMutation({
    networkMode: 'always',
    mutationFn: async () => enterApp((await signInClient.apps.create({ body: { name: name.trim() } })).data.id),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() !== '') create.mutate();
  };
  const mayCreate = me.permissions.includes('app.write');
  return (
    <main className="grid h-full place-content-center p-pad">
      <title>{`${me.tenant.name} · Glasshouse`}</title>
      <form onSubmit={submit} className="grid w-form max-w-full gap-4">
        <Text as="h1" size="title" strong>
          {`${me.tenant.name} has no app yet`}
        </Text>
        <Text as="p" size="body" tone="dim">
          {mayCreate
            ? 'Traces, keys and environments belong to an app. Name the first one after the program that will send to it.'
            : 'Traces belong to an app. Ask an owner or admin of your team to create one.'}
        </Text>
        {mayCreate && (
          <Field label="Name" autoFocus value={name} placeholder="support-bot" onChange={(event) => setName(event.target.value)} />
        )}
        {create.isError && <Text tone="err">{asFailure(create.error, '').why}</Text>}
        <span className="flex gap-2">
          {mayCreate && (
            <Button submit primary disabled={name.trim() === '' || create.isPending}>
              Create app
            </Button>
          )}
          <Button onClick={() => void signOut()}>Sign out</Button>
        </span>
      </form>
    </main>
  );
}
