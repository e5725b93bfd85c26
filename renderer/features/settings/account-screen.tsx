import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { gateway } from '../../api/client.ts';
import { useMe } from '../../api/identity.ts';
import { refusalOf, restOf } from '../../api/refusal.ts';
import { signOut } from '../../api/sign-in.ts';
import { ScreenHeader } from '../../ui/lists/list-screen.tsx';
import { Button } from '../../ui/primitives/button.tsx';
import { Field } from '../../ui/primitives/field.tsx';
import { FormFoot } from '../../ui/primitives/form-foot.tsx';
import { PageBody } from '../../ui/primitives/page-body.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { loginsKey } from './logins-query.ts';
import { LoginsSection } from './logins-section.tsx';
import { aboutRole } from './roles.ts';

/** The signed-in user and their password. */
export function AccountScreen() {
  const me = useMe();
  const signingOut = useMutation({ networkMode: 'always', mutationFn: signOut });
  return (
    <>
      <title>Your account · Glasshouse</title>
      <ScreenHeader title="Your account">
        <span className="ml-auto">
          <Button disabled={signingOut.isPending} onClick={() => signingOut.mutate()}>
            Sign out
          </Button>
        </span>
      </ScreenHeader>
      <PageBody label="Your account">
        {signingOut.isError && <Text tone="err">{restOf(refusalOf(signingOut.error), [])}</Text>}
        {me && (
          <section className="grid gap-1">
            <Text size="body">{me.user.email}</Text>
            <Text tone="dim">{`${me.role} of ${me.tenant.name}. ${aboutRole(me.role)}`}</Text>
          </section>
        )}
        <LoginsSection />
        <PasswordForm />
      </PageBody>
    </>
  );
}

function PasswordForm() {
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const queries = useQueryClient();
  const change = useMutation({
    networkMode: 'always',
    mutationFn: () => gateway.auth.changePassword({ body: { current, next } }),
    onSuccess: () => {
      setCurrent('');
      setNext('');
      // The others have ended.
      return queries.invalidateQueries({ queryKey: loginsKey });
    },
  });
  const refusal = refusalOf(change.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (current !== '' && next !== '') change.mutate();
  };
  return (
    <form onSubmit={submit} aria-label="Change password" className="grid w-form max-w-full gap-3">
      <Text as="h2" size="section" strong>
        Change password
      </Text>
      <Field
        label="Current password"
        type="password"
        autoComplete="current-password"
        value={current}
        problem={refusal.fields.current}
        onChange={(event) => setCurrent(event.target.value)}
      />
      <Field
        label="New password"
        type="password"
        autoComplete="new-password"
        value={next}
        problem={refusal.fields.next}
        help="At least 12 characters. Your other sessions are signed out."
        onChange={(event) => setNext(event.target.value)}
      />
      <FormFoot problem={restOf(refusal, ['current', 'next'])}>
        <Button submit primary disabled={current === '' || next === '' || change.isPending}>
          Change password
        </Button>
        {change.isSuccess && <Text tone="ok">Password changed.</Text>}
      </FormFoot>
    </form>
  );
}
