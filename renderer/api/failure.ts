import { GatewayError } from '../../shared/client.ts';
import { Unreachable } from './client.ts';
import { currentIdentity } from './identity.ts';

/** Failure as shown to the user: what happened, why, and what to do. */
export interface Failure {
  what: string;
  why: string;
  next: string;
  /** For a bug report. */
  details: string;
}

const nextSteps: Record<string, string> = {
  storage_full: 'Free some disk space, then try again. No stored data is lost.',
  storage_unavailable: 'The gateway is trying to reach its store again. Try again in a moment.',
  service_unavailable: 'The gateway is busy or stopping. Try again in a moment.',
  not_available_locally: 'Only the cloud offers this.',
  forbidden: 'Ask an owner or admin of your team for access.',
  rate_limit_exceeded: 'The number of requests per minute is limited. Wait a moment, then try again.',
  host_not_allowed: 'Open the viewer at http://localhost with the port of the gateway.',
  origin_not_allowed: 'Open the viewer at http://localhost with the port of the gateway.',
};

/** Without sign-in the reader is the operator of the gateway. */
const isOwnMachine = () => currentIdentity().phase === 'open';

const formatDetails = (details: Record<string, string>) =>
  Object.entries(details)
    .map(([field, problem]) => `${field} ${problem}`)
    .join('; ');

/** @param what sentence of the screen, such as "The traces could not be loaded" */
export function asFailure(error: unknown, what: string): Failure {
  if (error instanceof Unreachable) {
    const cause = error.cause instanceof Error ? error.cause.message : '';
    return {
      what,
      why: `No gateway answers at ${window.location.host}.`,
      next: `${isOwnMachine() ? 'Start it again with `glasshouse start`, or `npm start` in a clone. ' : ''}This page tries again by itself.`,
      details: cause,
    };
  }
  if (error instanceof GatewayError) {
    const why = [error.message, formatDetails(error.details)].filter(Boolean).join(': ');
    const isInvalidRequest = error.status < 500 && error.code.startsWith('invalid_');
    return {
      what,
      why,
      next:
        nextSteps[error.code] ??
        (isInvalidRequest
          ? 'Clear the filters, or correct the address of this page.'
          : 'Try again. If it stays, copy the details into a bug report.'),
      details: [
        `${error.status} ${error.code}`,
        error.message,
        formatDetails(error.details),
        ...Object.entries(error.extras).map(([key, value]) => `${key}: ${String(value)}`),
      ]
        .filter(Boolean)
        .join('\n'),
    };
  }
  const message = error instanceof Error ? error.message : String(error);
  return {
    what,
    why: message,
    next: 'Try again. If it stays, copy the details into a bug report.',
    details: error instanceof Error ? (error.stack ?? message) : message,
  };
}

/** The request itself is invalid. */
export const isRefusedRequest = (error: unknown) => error instanceof GatewayError && error.status === 400;
export const isNotFound = (error: unknown) => error instanceof GatewayError && error.status === 404;
