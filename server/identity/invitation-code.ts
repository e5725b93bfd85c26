/** Invitation code. It is sent in a link, and works only for the account of the invited address. */
import { createHash, randomBytes } from 'node:crypto';

const codeBytes = 24;

export interface NewInvitationCode {
  code: string;
  digest: Uint8Array;
}

export function newInvitationCode(): NewInvitationCode {
  const code = randomBytes(codeBytes).toString('base64url');
  return { code, digest: invitationDigestOf(code) };
}

/** Stored digest of a code, used for lookup. */
export const invitationDigestOf = (code: string): Uint8Array => createHash('sha256').update(code).digest();
