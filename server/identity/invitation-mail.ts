/** E-mail to an invited person. */
import { invitationLinks } from '../../shared/code-links.ts';
import type { Invitation } from '../control/invitation-store.ts';
import type { Role, TenantStore } from '../control/tenant-store.ts';
import { mailOf, oneLine } from '../mail/mail-text.ts';
import { type Mail, type Mailer, MailFailure } from '../mail/mailer.ts';

export type InvitationSent = { email_sent: true } | { email_sent: false; email_problem: string };

/** Who invites, and to which team. */
interface Inviting {
  who: string;
  team: string;
}

const rights: Record<Role, string> = {
  owner: 'an owner',
  admin: 'an admin',
  write: 'a member who can change things',
  read: 'a member who can read',
};

/** To be read before the invitation is created, because an invitation whose code nobody has seen must not stay. */
export async function readInviting(tenants: TenantStore, tenantId: string, inviterId: string): Promise<Inviting> {
  const [tenant, inviter] = await Promise.all([tenants.find(tenantId), tenants.findMember(tenantId, inviterId)]);
  return {
    who: inviter ? `${inviter.name ? `${oneLine(inviter.name)}, ` : ''}${oneLine(inviter.email, addressChars)},` : 'A member',
    team: `the team "${oneLine(tenant?.name ?? '')}" on Glasshouse`,
  };
}

/** The invitation stays valid when it cannot be sent. */
export async function sendInvitation(mailer: Mailer, inviting: Inviting, invitation: Invitation, code: string): Promise<InvitationSent> {
  try {
    await mailer.send([invitation.email], invitationMail(mailer.baseUrl, inviting, invitation, code));
    return { email_sent: true };
  } catch (error) {
    if (!(error instanceof MailFailure)) throw error;
    return { email_sent: false, email_problem: error.message };
  }
}

const addressChars = 320;

function invitationMail(baseUrl: string, { who, team }: Inviting, { email, role, expires_at }: Invitation, code: string): Mail {
  return mailOf(`Invitation to ${team}`, [
    `${who} invites you to ${team}, as ${rights[role]}.`,
    { label: 'Join the team', url: invitationLinks.to(baseUrl, { code, email }) },
    `The link works once, until ${dateOf(expires_at)}. You choose a password there, or enter that of the account that you have for ${email}.`,
    'If you do not know the sender, ignore this e-mail.',
  ]);
}

const dateOf = (iso: string): string => `${new Date(iso).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
