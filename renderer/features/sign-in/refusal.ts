import { GatewayError } from '../../../shared/client.ts';
import { Unreachable } from '../../api/client.ts';
import { asFailure } from '../../api/failure.ts';
import { isSignInPage } from '../../api/sign-in.ts';

/** Messages for the `problem` parameter that a failed sign-in with the identity provider leaves in the address. */
const providerProblems: Record<string, string> = {
  refused: 'The sign-in was not completed. Try again.',
  unknown: 'You have not been invited yet, or not with the email address that your provider confirms. Ask an owner of the team.',
};

/** @returns null for an address without such a problem */
export function providerProblemIn(hash: string): string | null {
  if (!isSignInPage(hash)) return null;
  return providerProblems[new URLSearchParams(hash.slice(hash.indexOf('?') + 1)).get('problem') ?? ''] ?? null;
}

/** Message for a failed invitation. */
export function joinRefusalOf(error: unknown): string {
  if (error instanceof GatewayError && error.code === 'invitation_not_found')
    return 'This invitation was used or withdrawn, or has expired. Ask for a new one.';
  if (error instanceof GatewayError && error.status === 401)
    return 'An account with this address already exists, and the password is wrong.';
  if (error instanceof GatewayError && error.code === 'invalid_request_body') return bodyRefusalOf(error);
  return refusalOf(error);
}

/** Message for a new password that was refused. */
export function resetRefusalOf(error: unknown): string {
  if (error instanceof GatewayError && error.code === 'password_reset_not_found')
    return 'This link was used or has expired, or the password was changed since. Ask for a new one at sign-in.';
  if (error instanceof GatewayError && error.code === 'invalid_request_body') return bodyRefusalOf(error);
  return refusalOf(error);
}

/** What the gateway says about the password, or else about the whole link. */
function bodyRefusalOf({ details }: GatewayError): string {
  const aboutPassword = details['password'];
  return aboutPassword === undefined ? 'This link is damaged. Copy it again from where you got it.' : `The password ${aboutPassword}.`;
}

/** Message for a failed sign-in. It does not reveal whether the email or the password was wrong. */
export function refusalOf(error: unknown): string {
  if (error instanceof Unreachable) return `${window.location.host} does not answer. Check the connection, then try again.`;
  if (error instanceof GatewayError && error.status === 401) return 'Wrong email or password.';
  if (error instanceof GatewayError && error.code === 'rate_limit_exceeded') {
    const seconds = Number(error.extras.retry_after_seconds);
    return `Too many attempts from this network. Try again ${seconds > 0 ? `in ${seconds} s` : 'in a minute'}.`;
  }
  return asFailure(error, '').why;
}
