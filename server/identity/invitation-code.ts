/** The code that lets somebody join a team. It goes by hand, in a link, and is worth nothing without the account of the address it was made for. */
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

/** What is stored of a code, and what it is found by. */
export const invitationDigestOf = (code: string): Uint8Array => createHash('sha256').update(code).digest();
