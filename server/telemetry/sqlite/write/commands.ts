/**
 * Commands to the writer, by group and name. They change a store without adding spans or scores, and return nothing. The messages to the write
 * thread (write-messages.ts) and the functions of the store (store.ts) take their types from this.
 */
import type { RunawayThresholdChange } from '../../../../shared/contract/tracing/runaways.ts';
import type { Scope } from '../../../platform/scope.ts';
import type { RetentionRule } from '../../file-maintenance.ts';
import type { Writer } from './writer.ts';

export type Commands = ReturnType<typeof createCommands>;

export const createCommands = (writer: Writer) => ({
  maintenance: {
    /** Fails when the store cannot be written. */
    probe: () => {},
    setRetention: (rule: RetentionRule) => writer.retention.setRule(rule),
    compact: () => writer.compactor.begin(),
    cancelCompaction: () => writer.compactor.cancel(),
    erase: (scope: Scope) => writer.erase(scope),
  },
  deletions: {
    begin: (scope: Scope, id: string) => writer.beginDeletion(scope, id),
    add: (scope: Scope, id: string, traces: readonly number[]) => writer.addToDeletion(scope, id, traces),
    accept: (id: string, forwarded: string) => writer.deletions.accept(id, forwarded),
    abandon: (id: string) => writer.deletions.abandon(id),
  },
  runaways: {
    setThreshold: (scope: Scope, change: RunawayThresholdChange) => writer.runaways.setThreshold(scope, change),
  },
  forward: writer.forward,
});

type Group = keyof Commands;
type Name<G extends Group> = keyof Commands[G] & string;
type Nothing = ReturnType<() => void>;
/** A command that returns something cannot be called. */
type ArgsOf<Command> = Command extends (...args: infer A) => infer R ? ([R] extends [Nothing] ? A : never) : never;

/** Call of one command. */
export type CommandCall = { [G in Group]: { [N in Name<G>]: { method: `${G}.${N}`; args: ArgsOf<Commands[G][N]> } }[Name<G>] }[Group];

/** All commands as seen from outside the thread. */
export type RemoteCommands = {
  readonly [G in Group]: { readonly [N in Name<G>]: (...args: ArgsOf<Commands[G][N]>) => Promise<void> };
};

export function runCommand(commands: Commands, { method, args }: CommandCall): void {
  const [group = '', name = ''] = method.split('.');
  // `CommandCall` ties the arguments to the method.
  const ofGroup = (commands as unknown as Record<string, Record<string, (...args: unknown[]) => void>>)[group];
  if (!ofGroup?.[name]) throw new Error(`${method} is not a command`);
  ofGroup[name](...args);
}
