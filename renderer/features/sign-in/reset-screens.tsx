import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { requestPasswordReset, resetPassword, restart } from '../../api/sign-in.ts';
import { readCodeLink } from '../../model/setup/code-link.ts';
import { Button } from '../../ui/primitives/button.tsx';
import { Field } from '../../ui/primitives/field.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { refusalOf, resetRefusalOf } from './refusal.ts';

interface ResetFrameProps {
  title: string;
  about: string;
  /** Message about a failure; null without one. */
  problem: string | null;
  onSubmit: () => void;
  children: ReactNode;
}

function ResetFrame({ title, about, problem, onSubmit, children }: ResetFrameProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <main className="grid h-full place-content-center overflow-y-auto p-pad">
      <title>{`${title} · Glasshouse`}</title>
      <form onSubmit={submit} className="grid w-form max-w-full gap-4">
        <header className="grid gap-1">
          <Text as="h1" size="title" strong>
            {title}
          </Text>
          <Text as="p" size="body" tone="dim">
            <span role="status">{about}</span>
          </Text>
        </header>
        {problem !== null && (
          <p role="alert" className="text-err text-row">
            {problem}
          </p>
        )}
        {children}
      </form>
    </main>
  );
}

/** Asks for a link to choose a new password. */
export function ForgottenScreen({ email: typed, onBack }: { email: string; onBack: () => void }) {
  const [email, setEmail] = useState(typed);
  const request = useMutation({ networkMode: 'always', mutationFn: () => requestPasswordReset(email.trim()) });
  const isReady = email.trim() !== '' && !request.isPending;
  return (
    <ResetFrame
      title={request.isSuccess ? 'Look into your mailbox' : 'Forgot your password?'}
      about={
        request.isSuccess
          ? `If ${email.trim()} has an account with a password here, a link is on its way. It works once, for an hour.`
          : 'A link to choose a new password is sent to the address of your account.'
      }
      problem={request.isError ? refusalOf(request.error) : null}
      onSubmit={() => isReady && !request.isSuccess && request.mutate()}
    >
      {!request.isSuccess && (
        <>
          <Field
            label="Email"
            type="email"
            autoComplete="username"
            autoFocus
            value={email}
            onChange={(event) => setEmail(event.target.value)}
          />
          <Button submit primary disabled={!isReady} className="justify-center">
            Send the link
          </Button>
        </>
      )}
      <Button onClick={onBack} className="justify-center">
        Back to sign-in
      </Button>
    </ResetFrame>
  );
}

/** Page of the link: chooses a new password. */
export function ResetScreen() {
  const { code, email } = readCodeLink(window.location.hash);
  const [password, setPassword] = useState('');
  const reset = useMutation({ networkMode: 'always', mutationFn: () => resetPassword(code, password) });
  const isReady = password !== '' && !reset.isPending;
  return (
    <ResetFrame
      title={reset.isSuccess ? 'Password changed' : 'Choose a new password'}
      about={
        reset.isSuccess
          ? 'You are signed out everywhere. Sign in with the new password.'
          : 'At least 12 characters. You are then signed out everywhere.'
      }
      problem={reset.isError ? resetRefusalOf(reset.error) : null}
      onSubmit={() => (reset.isSuccess ? restart('#/traces') : isReady && reset.mutate())}
    >
      {!reset.isSuccess && (
        <>
          <Field label="Email" type="email" autoComplete="username" readOnly value={email} />
          <Field
            label="New password"
            type="password"
            autoComplete="new-password"
            autoFocus
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
        </>
      )}
      <Button submit primary disabled={!reset.isSuccess && !isReady} className="justify-center">
        {reset.isSuccess ? 'Sign in' : 'Change password'}
      </Button>
    </ResetFrame>
  );
}
