import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { join } from '../../api/sign-in.ts';
import { readCodeLink } from '../../model/setup/code-link.ts';
import { Button } from '../../ui/primitives/button.tsx';
import { Field } from '../../ui/primitives/field.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { IncompleteLinkScreen } from './link-frame.tsx';
import { joinRefusalOf } from './refusal.ts';

/** Page of an invitation link: signs in to the account of its email address, or creates it, and joins the team. */
export function JoinScreen({ hash = window.location.hash }: { hash?: string }) {
  const { code, email } = readCodeLink(hash);
  const [password, setPassword] = useState('');
  const joining = useMutation({ networkMode: 'always', mutationFn: () => join(code, password) });
  if (code === '') return <IncompleteLinkScreen />;
  const isReady = password !== '' && !joining.isPending;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady) joining.mutate();
  };
  return (
    <main className="grid h-full place-content-center overflow-y-auto p-pad">
      <title>Join a team · Glasshouse</title>
      <form onSubmit={submit} className="grid w-form max-w-full gap-4">
        <header className="grid gap-1">
          <Text as="h1" size="title" strong>
            Join a team on Glasshouse
          </Text>
          <Text as="p" size="body" tone="dim">
            You were invited{email === '' ? '' : ` as ${email}`}. Choose a password of at least 12 characters. If you already have an
            account with this address here, enter its password.
          </Text>
        </header>
        <Field label="Email" type="email" autoComplete="username" readOnly value={email} />
        <Field
          label="Password"
          type="password"
          autoComplete="new-password"
          autoFocus
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
        {joining.isError && (
          <p role="alert" className="text-err text-row">
            {joinRefusalOf(joining.error)}
          </p>
        )}
        <Button submit primary disabled={!isReady} className="justify-center">
          {joining.isPending || joining.isSuccess ? 'Joining…' : 'Join'}
        </Button>
      </form>
    </main>
  );
}
