/** Failures of PostgreSQL and of the connection to it as StorageErrors. Their messages are for clients, so they name no address. */
import { type Failure, networkFailures, unreachable } from '../../telemetry/network-failure.ts';
import { StorageError } from '../../telemetry/storage-error.ts';

const busy: Failure = ['busy', 'The database is busy; try again'];
const late: Failure = ['slow', 'The database did not answer in time'];
const full: Failure = ['full', 'the disk of the database is full'];
const broken: Failure = ['io', 'the database cannot read or write its disk'];
const damaged: Failure = ['corrupt', 'the database is damaged'];
const readOnly: Failure = ['io', 'the database only reads now'];

/** By SQLSTATE (PostgreSQL's appendix "Error Codes"), or its class of two characters, or the error code of the system. */
const failures: Readonly<Record<string, Failure>> = {
  '08': unreachable,
  '25006': readOnly,
  '28': ['io', 'the database refuses the gateway'],
  '3D000': ['io', 'the database does not exist'],
  '40': busy,
  '42501': ['io', 'the user of the database lacks a permission'],
  '53': busy,
  '53100': full,
  '55000': ['io', 'the database does not accept connections'],
  '55P03': busy,
  '57014': late,
  '57P01': unreachable,
  '57P02': unreachable,
  '57P03': unreachable,
  '57P04': unreachable,
  '57P05': unreachable,
  '58': broken,
  XX001: damaged,
  XX002: damaged,
  ...networkFailures,
  ENOENT: unreachable,
  EACCES: unreachable,
};

/** Errors of the driver have no code. */
const noAnswer = /^Query read timeout/;
const lostConnection =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|The server does not support SSL)/;

/** Null for errors that are not about storage, which are bugs. */
export function storageFailure(error: unknown): StorageError | null {
  if (!(error instanceof Error) || error instanceof StorageError) return null;
  const code = 'code' in error ? String(error.code) : '';
  const failure = failures[code] ?? failures[code.length === 5 ? code.slice(0, 2) : ''] ?? ofDriver(error.message);
  if (!failure) return null;
  const translated = new StorageError(...failure);
  translated.cause = error;
  return translated;
}

function ofDriver(message: string): Failure | null {
  if (noAnswer.test(message)) return late;
  return lostConnection.test(message) ? unreachable : null;
}
