import { PasswordsBusy } from '../identity/password.ts';
import { TooManyAttempts } from '../limits/account-attempts.ts';
import { failForNow } from './fail.ts';

const retrySecondsMax = 5;

/** Translates overload of password checks. */
export async function translateOverload<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof TooManyAttempts) failForNow('rate_limit_exceeded', error.message, error.retryAfterSeconds);
    if (error instanceof PasswordsBusy) failForNow('service_unavailable', error.message, 1 + Math.floor(Math.random() * retrySecondsMax));
    throw error;
  }
}
