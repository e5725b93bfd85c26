import { StorageError } from '../telemetry/storage-error.ts';

/** Why a gateway did not start, in words for whoever typed the command. @param dataDir the folder it was asked to use */
export function startFailure(error: unknown, port: number, dataDir: string): string {
  if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE')
    return `Port ${port} is taken. Stop what listens there, or choose another with --port.`;
  if (error instanceof StorageError) return `The store in ${dataDir} cannot be used: ${error.message}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
