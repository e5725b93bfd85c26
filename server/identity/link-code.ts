/** Code in a link: of an invitation, or to choose a new password. It works only for the account of the address that it is for. */
import { createHash, randomBytes } from 'node:crypto';

const codeBytes = 24;

export interface NewLinkCode {
  code: string;
  digest: Uint8Array;
}

export function newLinkCode(): NewLinkCode {
  const code = randomBytes(codeBytes).toString('base64url');
  return { code, digest: linkDigestOf(code) };
}

/** Stored digest of a code, used for lookup. */
export const linkDigestOf = (code: string): Uint8Array => createHash('sha256').update(code).digest();
