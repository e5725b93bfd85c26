import { GatewayError } from '../../../shared/client.ts';
import { Unreachable } from '../../api/client.ts';
import { asFailure } from '../../api/failure.ts';

/** Why somebody was not let in, in words. The gateway does not say which of the two was wrong, and neither do we. */
export function refusalOf(error: unknown): string {
  if (error instanceof Unreachable) return `${window.location.host} does not answer. Check the connection, then try again.`;
  if (error instanceof GatewayError && error.status === 401) return 'The email and password do not belong together.';
  if (error instanceof GatewayError && error.code === 'rate_limit_exceeded') {
    const seconds = Number(error.extras.retry_after_seconds);
    return `Too many tries from this network. Try again ${seconds > 0 ? `in ${seconds} s` : 'in a minute'}.`;
  }
  return asFailure(error, '').why;
}
