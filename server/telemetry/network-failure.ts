/** Failures of the connection to a database, by the error codes of Node and the system. Their messages are for clients, so they name no address. */
import type { StorageErrorKind } from './storage-error.ts';

export type Failure = readonly [StorageErrorKind, string];

export const unreachable: Failure = ['io', 'the database cannot be reached'];
const untrusted: Failure = ['io', 'the certificate of the database is not trusted'];

export const networkFailures: Readonly<Record<string, Failure>> = {
  CERT_HAS_EXPIRED: untrusted,
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  ERR_TLS_CERT_ALTNAME_INVALID: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  ECONNREFUSED: unreachable,
  ECONNRESET: unreachable,
  ECONNABORTED: unreachable,
  EPIPE: unreachable,
  ETIMEDOUT: unreachable,
  EHOSTUNREACH: unreachable,
  EHOSTDOWN: unreachable,
  ENETUNREACH: unreachable,
  ENETDOWN: unreachable,
  EADDRNOTAVAIL: unreachable,
  ENOTFOUND: unreachable,
  EAI_AGAIN: unreachable,
};
