/** Failures of ClickHouse and of the connection to it as StorageErrors. Their messages are for clients, so they name no address. */
import { ClickHouseError } from '@clickhouse/client';
import { type Failure, networkFailures, unreachable } from '../network-failure.ts';
import { StorageError } from '../storage-error.ts';

const late: Failure = ['slow', 'The database did not answer in time'];
const large: Failure = ['slow', 'The query needs more memory than the database gives it'];
const long: Failure = ['slow', 'The query reads more than the database lets it'];
const busy: Failure = ['busy', 'The database is busy; try again'];
const full: Failure = ['full', 'the disk of the database is full'];
const broken: Failure = ['io', 'the database cannot read or write its disk'];
const damaged: Failure = ['corrupt', 'the database is damaged'];
const readOnly: Failure = ['io', 'the database only reads now'];
const refused: Failure = ['io', 'the database refuses the gateway'];
const left: Failure = ['abandoned', 'The caller has left'];

/** By error code: `SELECT errorCodeToName(code)` names them. */
const failures: Readonly<Record<string, Failure>> = {
  40: damaged, // CHECKSUM_DOESNT_MATCH
  74: broken, // CANNOT_READ_FROM_FILE_DESCRIPTOR
  75: broken, // CANNOT_WRITE_TO_FILE_DESCRIPTOR
  76: broken, // CANNOT_OPEN_FILE
  81: ['io', 'the database does not exist'], // UNKNOWN_DATABASE
  128: large, // TOO_LARGE_ARRAY_SIZE
  131: large, // TOO_LARGE_STRING_SIZE
  158: long, // TOO_MANY_ROWS
  159: late, // TIMEOUT_EXCEEDED
  160: late, // TOO_SLOW
  164: readOnly, // READONLY, of the user
  173: busy, // CANNOT_ALLOCATE_MEMORY: the machine has none
  191: long, // SET_SIZE_LIMIT_EXCEEDED
  192: refused, // UNKNOWN_USER
  193: refused, // WRONG_PASSWORD
  194: refused, // REQUIRED_PASSWORD
  195: refused, // IP_ADDRESS_NOT_ALLOWED
  198: unreachable, // DNS_ERROR, of a replica
  201: busy, // QUOTA_EXCEEDED, of the user
  202: busy, // TOO_MANY_SIMULTANEOUS_QUERIES
  203: busy, // NO_FREE_CONNECTION
  204: broken, // CANNOT_FSYNC
  209: unreachable, // SOCKET_TIMEOUT, of a replica
  210: unreachable, // NETWORK_ERROR, of a replica
  236: unreachable, // ABORTED: it stops
  241: large, // MEMORY_LIMIT_EXCEEDED
  242: readOnly, // TABLE_IS_READ_ONLY
  243: full, // NOT_ENOUGH_SPACE
  246: damaged, // CORRUPTED_DATA
  252: busy, // TOO_MANY_PARTS
  279: unreachable, // ALL_CONNECTION_TRIES_FAILED, to replicas
  285: readOnly, // TOO_FEW_LIVE_REPLICAS
  307: long, // TOO_MANY_BYTES
  364: busy, // RECEIVED_ERROR_TOO_MANY_REQUESTS
  394: late, // QUERY_WAS_CANCELLED
  396: long, // TOO_MANY_ROWS_OR_BYTES
  439: busy, // CANNOT_SCHEDULE_TASK: it has no free thread
  497: ['io', 'the user of the database lacks a permission'], // ACCESS_DENIED
  516: refused, // AUTHENTICATION_FAILED
  735: left, // QUERY_WAS_CANCELLED_BY_CLIENT
  745: busy, // SERVER_OVERLOADED
  749: busy, // TCP_CONNECTION_LIMIT_REACHED
  762: busy, // HTTP_CONNECTION_LIMIT_REACHED
  774: readOnly, // TABLE_IS_PERMANENTLY_READ_ONLY
  776: busy, // RESOURCE_LIMIT_EXCEEDED
  777: large, // MEMORY_RESERVATION_KILLED
  778: large, // MEMORY_RESERVATION_FAILED
  999: readOnly, // KEEPER_EXCEPTION
};

/** Codes of queries that are wrong, while the database works: their syntax, names, types, numbers and settings. */
const mistakes: ReadonlySet<number> = new Set([
  ...[6, 8, 10, 16, 20, 26, 27, 34, 35, 36, 38, 41, 42, 43, 44, 46, 47, 48, 50, 53, 60, 62, 63, 69, 70, 72, 73, 80, 115, 124, 125],
  ...[153, 162, 167, 168, 169, 170, 179, 181, 182, 183, 184, 190, 207, 215, 321, 386, 395, 403, 407, 427, 440, 456, 457, 471],
]);

/** ClickHouse gives errors of the disk various codes. */
const noSpace = /No space left on device|Disk quota exceeded/i;

/** Messages of the client and of proxies, whose errors have no code. */
const withoutCode: readonly (readonly [RegExp, Failure])[] = [
  [/^Timeout error/, late],
  [/^The user aborted a request|^ResultSet has been closed/, left],
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

/** What else fails in the database passes, or is repaired there. */
function ofServer({ code, message }: ClickHouseError): Failure | undefined {
  if (noSpace.test(message)) return full;
  return failures[code] ?? (mistakes.has(Number(code)) ? undefined : ['io', `the database failed (error ${code})`]);
}

function ofConnection(error: Error): Failure | undefined {
  const code = 'code' in error ? String(error.code) : '';
  return networkFailures[code] ?? withoutCode.find(([pattern]) => pattern.test(error.message))?.[1];
}
