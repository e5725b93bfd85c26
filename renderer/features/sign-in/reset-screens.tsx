import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { requestPasswordReset, resetPassword, restart } from '../../api/sign-in.ts';
import { readCodeLink } from '../../model/setup/code-link.ts';
import { Button } from '../../ui/primitives/button.tsx';
import { Field } from '../../ui/primitives/field.tsx';
import { BackToSignIn, IncompleteLinkScreen, LinkFrame } from './link-frame.tsx';
import { refusalOf, resetRefusalOf } from './refusal.ts';

/** Asks for a link to choose a new password. */
export function ForgottenScreen({ email: typed, onBack }: { email: string; onBack: () => void }) {
  const [email, setEmail] = useState(typed);
  const request = useMutation({ networkMode: 'always', mutationFn: () => requestPasswordReset(email.trim()) });
  const isReady = email.trim() !== '' && !request.isPending;
  return (
    <LinkFrame
      title={request.isSuccess ? 'Look into your mailbox' : 'Forgot your password?'}
      about={
        request.isSuccess
          ? `If ${email.trim()} has an account with a password here, a link is on its way. It works once, for an hour.`
          : 'A link to choose a new password is sent to the address of your account.'
      }
      problem={request.isError ? refusalOf(request.error) : null}
      isDone={request.isSuccess}
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
    </LinkFrame>
  );
}

/** Page of the link: chooses a new password. */
export function ResetScreen({ hash }: { hash: string }) {
  const { code, email } = readCodeLink(hash);
  const [password, setPassword] = useState('');
  const reset = useMutation({ networkMode: 'always', mutationFn: () => resetPassword(code, password) });
  const isReady = password !== '' && !reset.isPending;
  if (code === '') return <IncompleteLinkScreen />;
  return (
    <LinkFrame
      title={reset.isSuccess ? 'Password changed' : 'Choose a new password'}
      about={
        reset.isSuccess
          ? 'You are signed out everywhere. Sign in with the new password.'
          : 'At least 12 characters. You are then signed out everywhere.'
      }
      problem={reset.isError ? resetRefusalOf(reset.error) : null}
      isDone={reset.isSuccess}
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
      {!reset.isSuccess && <BackToSignIn />}
    </LinkFrame>
  );
}
