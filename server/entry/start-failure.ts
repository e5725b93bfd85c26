import { StartRefusal } from '../platform/start-refusal.ts';
import { StorageError } from '../telemetry/storage-error.ts';

export { FolderInUse } from '../platform/start-refusal.ts';

/**
 * Reason of a failed start as a sentence for the user; our own bugs show a stack trace.
 * @param port requested port; null for none
 * @param dataDir requested folder
 */
export function startFailure(error: unknown, port: number | null, dataDir: string): string {
  if (error instanceof StartRefusal) return error.message;
  if (error instanceof StorageError) return `The store in ${dataDir} cannot be used: ${error.message}`;
  const { code, syscall, message, stack, address } = error as NodeJS.ErrnoException & { address?: string };
  if (syscall === 'listen' || syscall === 'getaddrinfo') return cannotListen(code, port, message, address);
  if (syscall !== undefined) return `The data folder ${dataDir} cannot be used: ${message}`;
  return error instanceof Error ? (stack ?? message) : String(error);
}

function cannotListen(code: string | undefined, port: number | null, message: string, address: string | undefined): string {
  if (code === 'EADDRINUSE') return `Port ${port} is taken. Stop what listens there, or choose another with --port.`;
  if (code === 'EACCES') return `This user may not listen on port ${port}: choose another with --port.`;
  if (code === 'EADDRNOTAVAIL') return `${address ?? 'That address'} is not an address of this machine: choose another with --host.`;
  return `The gateway cannot listen there (${message}): choose another address with --host.`;
}
