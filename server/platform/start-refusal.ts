import { hostname } from 'node:os';

/** Reason why a gateway or command cannot start: one sentence for the user, without a stack trace. */
export class StartRefusal extends Error {}

/** The process that holds a data folder, as it describes itself. */
export interface LockOwner {
  /** `the cloud gateway`, for instance. */
  program: string;
  pid: number;
  /** Name of the machine or container. */
  host: string;
  /** Listening port; null before it listens, and for programs that do not. */
  port: number | null;
  /** ISO 8601, UTC. */
  since: string;
}

/** The name of this machine or container, safe to print on a terminal. */
export const thisHost = (): string =>
  hostname()
    .replace(/[^\w.-]/g, '-')
    .slice(0, 255) || 'unnamed';

/** Another process, or another gateway of this one, holds the data folder. */
export class FolderInUse extends StartRefusal {
  readonly folder: string;
  /** Null when it could not describe itself, for instance because its disk is full. */
  readonly owner: LockOwner | null;

  /** @param option of the command line that chose the folder */
  constructor(folder: string, owner: LockOwner | null, option = '--data') {
    super(sentence(folder, owner, option));
    this.folder = folder;
    this.owner = owner;
  }
}

function sentence(folder: string, owner: LockOwner | null, option: string): string {
  if (!owner) return `The data folder ${folder} is in use by another process: stop that one, or choose another folder with ${option}.`;
  const { program, pid, host, port, since } = owner;
  const listens = port === null ? '' : `, port ${port}`;
  const open = port === null || host !== thisHost() ? '' : `, open http://localhost:${port}`;
  const who = `${program} (process ${pid} on ${host}${listens}, running since ${since})`;
  return `The data folder ${folder} is in use by ${who}: stop that one${open}, or choose another folder with ${option}.`;
}
