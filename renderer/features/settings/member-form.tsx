import { type FormEvent, useState } from 'react';
import { invitationLinks } from '../../../shared/code-links.ts';
import type { Role } from '../../../shared/contract/identity/role.ts';
import { gatewayOrigin } from '../../api/client.ts';
import { refusalOf, restOf } from '../../api/refusal.ts';
import { useServed } from '../../api/served.ts';
import { exactly, when } from '../../model/time/time.ts';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Button } from '../../ui/primitives/button.tsx';
import { Field } from '../../ui/primitives/field.tsx';
import { FormFoot } from '../../ui/primitives/form-foot.tsx';
import { SelectField } from '../../ui/primitives/select-field.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { CodeBlock } from '../../ui/viewers/code-block.tsx';
import { type CreatedInvitation, useInvite } from './members-query.ts';
import { aboutRole, roles } from './roles.ts';

interface MemberFormProps {
  /** Only owners can invite owners. */
  isOwner: boolean;
  onClose: () => void;
  onInvited: (invitation: CreatedInvitation) => void;
}

/** Form to invite a member to the team. */
export function MemberForm({ isOwner, onClose, onInvited }: MemberFormProps) {
  const invite = useInvite();
  const sendsMail = useServed()('password_resets');
  const [email, setEmail] = useState('');
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('write');
  const isReady = email.trim() !== '' && !invite.isPending;
  const refusal = refusalOf(invite.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady) invite.mutate({ email: email.trim(), role, ...(name.trim() !== '' && { name: name.trim() }) }, { onSuccess: onInvited });
  };
  return (
    <Dialog title="Invite member" onClose={onClose}>
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
          {sendsMail
            ? 'The invitation is sent to this address. You get its link too, shown only once.'
            : 'This gateway sends no email. You get a link, shown only once, to pass on yourself.'}
        </Text>
        <FormFoot problem={restOf(refusal, ['email', 'name', 'role'])}>
          <Button submit primary disabled={!isReady}>
            Create invitation
          </Button>
        </FormFoot>
      </form>
    </Dialog>
  );
}

/** Invitation link to pass on. */
export function InvitedDialog({ invitation, onClose }: { invitation: CreatedInvitation; onClose: () => void }) {
  return (
    <Dialog title={`${invitation.email} is invited`} onClose={onClose}>
      <div className="grid gap-3">
        {invitation.email_sent ? (
          <Text as="p" size="body">{`Sent to ${invitation.email}. The link is shown here only this once.`}</Text>
        ) : (
          <Text as="p" size="body" tone="warm">
            {invitation.email_problem ? `${invitation.email_problem}, so the email may not have been sent. ` : 'No email was sent. '}
            The link is shown only this once. Pass it on in a way that nobody else can read.
          </Text>
        )}
        <CodeBlock code={invitationLinks.to(gatewayOrigin(), invitation)} label="the invitation link" />
        <Text as="p" tone="dim">
          It works once, until <span title={exactly(invitation.expires_at)}>{when(invitation.expires_at)}</span>. They choose a password
          there, or enter that of their existing account.
        </Text>
        <div>
          <Button primary onClick={onClose}>
            Done
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
