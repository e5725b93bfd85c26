import { GatewayError } from '../../../shared/client.ts';
import { Unreachable } from '../../api/client.ts';
import { asFailure } from '../../api/failure.ts';
import { isSignInPage } from '../../api/sign-in.ts';

/** Errors in the address after a failed sign-in with the identity provider. */
const sentBack: Record<string, string> = {
  refused: 'The sign-in was not finished. Try again.',
  unknown: 'Nobody has invited you here yet, or not with the address that your provider vouches for. Ask an owner of the team.',
};

/** Null for an address without such an error. */
export function sentBackFor(hash: string): string | null {
  if (!isSignInPage(hash)) return null;
  return sentBack[new URLSearchParams(hash.slice(hash.indexOf('?') + 1)).get('problem') ?? ''] ?? null;
}

/** Message for a failed invitation. */
export function joinRefusalOf(error: unknown): string {
  if (error instanceof GatewayError && error.code === 'invitation_not_found')
    return 'This invitation was used, was taken back or is over. Ask for a new one.';
  if (error instanceof GatewayError && error.status === 401) return 'There is an account with this address, and this is not its password.';
  if (error instanceof GatewayError && error.code === 'invalid_request_body') return 'The password must have at least 12 characters.';
  return refusalOf(error);
}

/** Message for a failed sign-in. It does not reveal whether address or password was wrong. */
export function refusalOf(error: unknown): string {
  if (error instanceof Unreachable) return `${window.location.host} does not answer. Check the connection, then try again.`;
  if (error instanceof GatewayError && error.status === 401) return 'Wrong email or password.';
  if (error instanceof GatewayError && error.code === 'rate_limit_exceeded') {
    const seconds = Number(error.extras.retry_after_seconds);
    return `Too many tries from this network. Try again ${seconds > 0 ? `in ${seconds} s` : 'in a minute'}.`;
  }
  return asFailure(error, '').why;
}
