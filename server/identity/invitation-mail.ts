/** E-mail to an invited person. */
import { invitationLinks } from '../../shared/code-links.ts';
import type { Invitation } from '../control/invitation-store.ts';
import type { Role, TenantStore } from '../control/tenant-store.ts';
import { mailOf, oneLine } from '../mail/mail-text.ts';
import { type Mailer, MailFailure } from '../mail/mailer.ts';

interface Invited {
  invitation: Invitation;
  code: string;
  inviterId: string;
}

export type InvitationSent = { email_sent: true } | { email_sent: false; email_problem: string };

const rights: Record<Role, string> = {
  owner: 'an owner',
  admin: 'an admin',
  write: 'a member who can change things',
  read: 'a member who can read',
};

/** The invitation stays valid when it cannot be sent. */
export async function sendInvitation(mailer: Mailer, tenants: TenantStore, invited: Invited): Promise<InvitationSent> {
  try {
    const { invitation } = invited;
    await mailer.send([invitation.email], await invitationMail(mailer.baseUrl, tenants, invited));
    return { email_sent: true };
  } catch (error) {
    if (!(error instanceof MailFailure)) throw error;
    return { email_sent: false, email_problem: error.message };
  }
}

async function invitationMail(baseUrl: string, tenants: TenantStore, { invitation, code, inviterId }: Invited) {
  const { tenant_id, email, role, expires_at } = invitation;
  const [tenant, inviter] = await Promise.all([tenants.find(tenant_id), tenants.findMember(tenant_id, inviterId)]);
  const team = `the team "${oneLine(tenant?.name ?? '')}" on Glasshouse`;
  const who = inviter ? `${inviter.name ? `${oneLine(inviter.name)}, ` : ''}${inviter.email},` : 'A member';
  return mailOf(`Invitation to ${team}`, [
    `${who} invites you to ${team}, as ${rights[role]}.`,
    { label: 'Join the team', url: invitationLinks.to(baseUrl, { code, email }) },
    `The link works once, until ${dateOf(expires_at)}. You choose a password there, or enter that of the account that you have for ${email}.`,
    'If you do not know the sender, ignore this e-mail.',
  ]);
}

const dateOf = (iso: string): string => `${new Date(iso).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
