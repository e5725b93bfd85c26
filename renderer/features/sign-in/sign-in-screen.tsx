import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useServed } from '../../api/served.ts';
import { signIn, signInElsewhere } from '../../api/sign-in.ts';
import { Button } from '../../ui/primitives/button.tsx';
import { Field } from '../../ui/primitives/field.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { refusalOf, sentBackFor } from './refusal.ts';

/** Sign-in screen, shown instead of every other screen; the requested one opens afterwards. */
export function SignInScreen({ isOver }: { isOver: boolean }) {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const enter = useMutation({ networkMode: 'always', mutationFn: () => signIn(email.trim(), password) });
  const problem = enter.isError ? refusalOf(enter.error) : sentBackFor(window.location.hash);
  const hasProvider = useServed()('openid_sign_in');
  const isReady = email.trim() !== '' && password !== '' && !enter.isPending;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady) enter.mutate();
  };
  return (
    <main className="grid h-full place-content-center overflow-y-auto p-pad">
      <title>Sign in · Glasshouse</title>
      <form onSubmit={submit} className="grid w-form max-w-full gap-4">
        <header className="grid gap-1">
          <Text as="h1" size="title" strong>
            Sign in to Glasshouse
          </Text>
          <Text as="p" size="body" tone="dim">
            {isOver ? 'Your login is over. Sign in again to go on where you were.' : window.location.host}
          </Text>
        </header>
        <Field
          label="Email"
          type="email"
          autoComplete="username"
          autoFocus
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
        <Field
          label="Password"
          type="password"
          autoComplete="current-password"
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
        {problem !== null && (
          <p role="alert" className="text-err text-row">
            {problem}
          </p>
        )}
        <Button submit primary disabled={!isReady} className="justify-center">
          {enter.isPending || enter.isSuccess ? 'Signing in…' : 'Sign in'}
        </Button>
        {hasProvider && (
          <Button onClick={signInElsewhere} className="justify-center">
            Sign in with your identity provider
          </Button>
        )}
        <Text as="p" size="label" tone="dim">
          Owners and admins of a team invite people, in its settings.
        </Text>
      </form>
    </main>
  );
}
