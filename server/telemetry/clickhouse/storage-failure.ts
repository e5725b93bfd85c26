/** Failures of ClickHouse and of the connection to it as StorageErrors. Their messages are for clients, so they name no address. */
import { ClickHouseError } from '@clickhouse/client';
import { type Failure, networkFailures, unreachable } from '../network-failure.ts';
import { StorageError } from '../storage-error.ts';

const late: Failure = ['slow', 'The database did not answer in time'];
const large: Failure = ['slow', 'The query needs more memory than the database gives it'];
const busy: Failure = ['busy', 'The database is busy; try again'];
const full: Failure = ['full', 'the disk of the database is full'];
const broken: Failure = ['io', 'the database cannot read or write its disk'];
const damaged: Failure = ['corrupt', 'the database is damaged'];
const readOnly: Failure = ['io', 'the database only reads now'];
const refused: Failure = ['io', 'the database refuses the gateway'];

/** By error code: `SELECT name, code FROM system.errors` lists them. */
const failures: Readonly<Record<string, Failure>> = {
  40: damaged, // CHECKSUM_DOESNT_MATCH
  74: broken, // CANNOT_READ_FROM_FILE_DESCRIPTOR
  75: broken, // CANNOT_WRITE_TO_FILE_DESCRIPTOR
  76: broken, // CANNOT_OPEN_FILE
  81: ['io', 'the database does not exist'], // UNKNOWN_DATABASE
  159: late, // TIMEOUT_EXCEEDED
  160: late, // TOO_SLOW
  164: readOnly, // READONLY, of the user
  192: refused, // UNKNOWN_USER
  193: refused, // WRONG_PASSWORD
  194: refused, // REQUIRED_PASSWORD
  202: busy, // TOO_MANY_SIMULTANEOUS_QUERIES
  209: unreachable, // SOCKET_TIMEOUT, of a replica
  210: unreachable, // NETWORK_ERROR, of a replica
  236: unreachable, // ABORTED: it stops
  241: large, // MEMORY_LIMIT_EXCEEDED
  242: readOnly, // TABLE_IS_READ_ONLY
  243: full, // NOT_ENOUGH_SPACE
  246: damaged, // CORRUPTED_DATA
  252: busy, // TOO_MANY_PARTS
  285: readOnly, // TOO_FEW_LIVE_REPLICAS
  394: late, // QUERY_WAS_CANCELLED
  497: ['io', 'the user of the database lacks a permission'], // ACCESS_DENIED
  516: refused, // AUTHENTICATION_FAILED
  999: readOnly, // KEEPER_EXCEPTION
};

/** ClickHouse gives errors of the disk various codes. */
const noSpace = /No space left on device|Disk quota exceeded/i;

/** Messages of the client and of proxies, whose errors have no code. */
const withoutCode: readonly (readonly [RegExp, Failure])[] = [
  [/^Timeout error/, late],
  [/^The user aborted a request/, ['abandoned', 'The caller has left']],
  [/^socket hang up|^Premature close|^aborted$/, unreachable],
  [/\b(Bad Gateway|Service (Temporarily )?Unavailable|Gateway Time-?out|upstream connect error)\b/i, unreachable],
];

/** Null for errors that are not about storage, which are bugs. */
export function storageFailure(error: unknown): StorageError | null {
  if (!(error instanceof Error) || error instanceof StorageError) return null;
  const failure = error instanceof ClickHouseError ? ofServer(error) : ofConnection(error);
  if (!failure) return null;
  const translated = new StorageError(...failure);
  translated.cause = error;
  return translated;
}

const ofServer = ({ code, message }: ClickHouseError): Failure | undefined => (noSpace.test(message) ? full : failures[code]);

function ofConnection(error: Error): Failure | undefined {
  const code = 'code' in error ? String(error.code) : '';
  return networkFailures[code] ?? withoutCode.find(([pattern]) => pattern.test(error.message))?.[1];
}
