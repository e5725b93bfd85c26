import { type FormEvent, useState } from 'react';
import type { Role } from '../../../shared/contract/role.ts';
import { gatewayOrigin } from '../../api/client.ts';
import { refusalOf, restOf } from '../../api/refusal.ts';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { FormFoot } from '../../ui/form-foot.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { Text } from '../../ui/text.tsx';
import { type AddedMember, useAddMember } from './members-query.ts';
import { aboutRole, roles } from './roles.ts';

interface MemberFormProps {
  /** Only owners make owners. */
  isOwner: boolean;
  onClose: () => void;
  onAdded: (member: AddedMember) => void;
}

/** Somebody new in the team. */
export function MemberForm({ isOwner, onClose, onAdded }: MemberFormProps) {
  const add = useAddMember();
  const [email, setEmail] = useState('');
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('write');
  const isReady = email.trim() !== '' && !add.isPending;
  const refusal = refusalOf(add.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady) add.mutate({ email: email.trim(), role, ...(name.trim() !== '' && { name: name.trim() }) }, { onSuccess: onAdded });
  };
  return (
    <Dialog title="Add a member" onClose={onClose}>
      <form onSubmit={submit} className="grid gap-3">
        <div className="grid grid-cols-2 gap-3">
          <Field
            label="Email"
            type="email"
            autoFocus
            value={email}
            placeholder="mira@example.com"
            problem={refusal.fields.email}
            onChange={(event) => setEmail(event.target.value)}
          />
          <Field label="Name" value={name} problem={refusal.fields.name} onChange={(event) => setName(event.target.value)} />
        </div>
        <SelectField
          label="Role"
          options={roles.filter(({ id }) => isOwner || id !== 'owner')}
          value={role}
          onChange={setRole}
          problem={refusal.fields.role}
          help={aboutRole(role)}
        />
        <Text as="p" tone="dim">
          This gateway sends no mail. Whoever is new gets a password that is shown to you once; give it to them yourself.
        </Text>
        <FormFoot problem={restOf(refusal, ['email', 'name', 'role'])}>
          <Button submit primary disabled={!isReady}>
            Add the member
          </Button>
        </FormFoot>
      </form>
    </Dialog>
  );
}

/** What to tell somebody who was just added. */
export function AddedDialog({ member, onClose }: { member: AddedMember; onClose: () => void }) {
  const { email, one_time_password: password } = member;
  return (
    <Dialog title={`${email} is a member`} onClose={onClose}>
      <div className="grid gap-3">
        {password === null ? (
          <Text as="p" size="body" tone="quiet">
            They have a password here already, from another team, and sign in with that. Nobody was told: tell them yourself.
          </Text>
        ) : (
          <>
            <Text as="p" size="body" tone="warm">
              This is the only time the password is shown. Give it to them in a way that nobody else reads; no mail was sent.
            </Text>
            <CodeBlock code={`${gatewayOrigin()}\n${email}\n${password}`} label="what they need to sign in" />
            <Text as="p" tone="dim">
              They should choose their own under Settings, Your account. Until then you know it too.
            </Text>
          </>
        )}
        <div>
          <Button primary onClick={onClose}>
            Done
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
