import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useServed, useSignInProvider } from '../../api/served.ts';
import { signIn, signInElsewhere } from '../../api/sign-in.ts';
import { Button } from '../../ui/primitives/button.tsx';
import { Field } from '../../ui/primitives/field.tsx';
import { Mark } from '../../ui/primitives/mark.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { providerProblemIn, refusalOf } from './refusal.ts';
import { ForgottenScreen } from './reset-screens.tsx';

/** Sign-in screen, shown instead of any other screen. The requested screen opens afterwards. */
export function SignInScreen({ isExpired }: { isExpired: boolean }) {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const signingIn = useMutation({ networkMode: 'always', mutationFn: () => signIn(email.trim(), password) });
  const problem = signingIn.isError ? refusalOf(signingIn.error) : providerProblemIn(window.location.hash);
  const provider = useSignInProvider();
  const canReset = useServed()('password_resets');
  const [isForgotten, setForgotten] = useState(false);
  const isReady = email.trim() !== '' && password !== '' && !signingIn.isPending;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady) signingIn.mutate();
  };
  if (isForgotten) return <ForgottenScreen email={email} onBack={() => setForgotten(false)} />;
  return (
    <main className="grid h-full place-content-center overflow-y-auto p-pad">
      <title>Sign in · Glasshouse</title>
      <form onSubmit={submit} className="grid w-form max-w-full gap-4">
        <header className="grid justify-items-start gap-1">
          <Mark />
          <Text as="h1" size="title" strong>
            Sign in to Glasshouse
          </Text>
          <Text as="p" size="body" tone="dim">
            {isExpired ? 'Your session has expired. Sign in again to continue where you were.' : window.location.host}
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
          {signingIn.isPending || signingIn.isSuccess ? 'Signing in…' : 'Sign in'}
        </Button>
        {provider !== undefined && (
          <Button onClick={signInElsewhere} className="justify-center">
            {`Sign in with ${provider}`}
          </Button>
        )}
        {canReset && (
          <Button onClick={() => setForgotten(true)} className="justify-center">
            Forgot password?
          </Button>
        )}
        <Text as="p" size="label" tone="dim">
          To get an account, ask an owner or admin of your team to invite you.
          {!canReset && ' If you forgot your password, ask whoever operates this gateway to set a new one.'}
        </Text>
      </form>
    </main>
  );
}
