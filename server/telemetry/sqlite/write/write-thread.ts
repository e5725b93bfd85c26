/** The thread that owns the one write connection. */
import { statSync } from 'node:fs';
import { createPricing, type Pricing } from '../../../ingest/cost/pricing.ts';
import { collectWhenIdle } from '../../../platform/idle-collect.ts';
import { release } from '../../../platform/release.ts';
import { threadPort } from '../../../platform/thread.ts';
import type { Compaction } from '../../file-maintenance.ts';
import { StorageError } from '../../storage-error.ts';
import { ColumnMaker } from '../columns/column-maker.ts';
import { DamageReporter } from '../file/damaged.ts';
import { openFirst } from '../file/first-open.ts';
import { type OpenDatabase, openWriter } from '../file/open.ts';
import { storageErrorKind } from '../file/storage-error-kind.ts';
import { SignatureMaker } from '../signatures/signature-maker.ts';
import { type CommandCall, type Commands, createCommands, runCommand } from './commands.ts';
import { type IdleTask, IdleWork } from './idle-work.ts';
import { rebuildIfDue } from './rebuild.ts';
import { RunawayGuard } from './runaway-guard.ts';
import { type PendingRequest, WriteGroups } from './write-groups.ts';
import { checkpoint, emptyLog, idleLogBytesMax, logBytesMax } from './write-log.ts';
import type { WriteProtocol, WriteTask, WriteThreadReply } from './write-messages.ts';
import { Writer } from './writer.ts';

const idleMs = 1500;
/** How often the length of the log is looked at while there are commits. */
const logLookMs = 50;
/** How often there may be something to do although nothing was written: traces grow old by themselves. */
const wakeMs = 60_000;
/** Interval of the progress notices of a compaction. */
const tellMs = 200;

export function runWriteThread({ file, prices, damaged }: WriteTask): void {
  const main = threadPort<WriteProtocol>();
  const reply = (message: WriteThreadReply) => main.postMessage(message);
  try {
    const thread = new WriteThread(file, createPricing(prices), reply, () => Atomics.load(damaged, 0) !== 0);
    main.on('message', (request) => {
      if (request.kind === 'channel') thread.groups.listen(request.port, request.coming);
      else if (request.kind === 'command') thread.command(request.id, request);
      else {
        thread.stop();
        main.close();
      }
    });
    reply({ kind: 'ready', compaction: thread.rebuilt, isUnclean: thread.isUnclean });
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    reply({ kind: 'failed', errorKind: error.errorKind, message: error.message });
    main.close();
  }
}

class WriteThread {
  /** Result of the rebuild at this start, when one was due. */
  readonly rebuilt: Compaction | null;
  readonly groups = new WriteGroups((group) => this.#write(group));
  readonly #file: string;
  readonly #pricing: Pricing;
  readonly #reply: (message: WriteThreadReply) => void;
  readonly isUnclean: boolean;
  readonly #damageReporter: DamageReporter;
  readonly #isDamaged: () => boolean;
  #db: OpenDatabase;
  #writer: Writer;
  #commands: Commands;
  readonly #idleWork: IdleWork;
  #signatures: SignatureMaker;
  #guard: RunawayGuard;
  readonly #waking: NodeJS.Timeout;
  /** False after a failed read or write, until the store was opened anew. */
  #usable = true;
  readonly #inode: number;
  #idle: NodeJS.Timeout | undefined;
  #logLookedAt = 0;
  #told: { state: Compaction['state'] | null; at: number } = { state: null, at: 0 };
  readonly #worked = collectWhenIdle();

  /** @param isDamaged whether the store is known to be */
  constructor(file: string, pricing: Pricing, reply: (message: WriteThreadReply) => void, isDamaged: () => boolean) {
    this.#file = file;
    this.#pricing = pricing;
    this.#reply = reply;
    this.#damageReporter = new DamageReporter((found) => reply({ kind: 'damaged', found }));
    this.#isDamaged = isDamaged;
    const { db, isUnclean } = openFirst(file);
    this.isUnclean = isUnclean;
    this.#db = db;
    // A damaged store is left as it was found.
    this.rebuilt = isDamaged() ? null : rebuildIfDue(db);
    this.#writer = this.#newWriter();
    this.#commands = createCommands(this.#writer);
    this.#signatures = new SignatureMaker(this.#db);
    this.#guard = this.#newGuard();
    this.#idleWork = new IdleWork(this.#newIdleTasks(), {
      isPossible: () => this.#usable,
      checkpoint: (bytesMax) => checkpoint(this.#db, bytesMax),
    });
    this.#inode = statSync(file).ino;
    this.#idleWork.in(idleMs);
    this.#waking = setInterval(() => this.#idleWork.soon(), wakeMs);
    this.#waking.unref();
  }

  #newWriter(): Writer {
    const damage = { damageReporter: this.#damageReporter, isDamaged: this.#isDamaged };
    return new Writer(this.#db, this.#pricing, Date.now, damage, {
      compacted: (state) => this.#tell(state),
      removed: () => this.#signatures.forget(),
      changed: (change) => this.#reply({ kind: 'deletion', change }),
    });
  }

  #newGuard(): RunawayGuard {
    return new RunawayGuard(this.#writer.runaways, this.#pricing, {
      found: (notices) => this.#reply({ kind: 'runaways', notices }),
      failed: (reason) => this.#reply({ kind: 'watching-failed', reason }),
    });
  }

  /** Limits progress notices to what an observer can see. */
  #tell(compaction: Compaction): void {
    const isNews = compaction.state !== this.#told.state || performance.now() - this.#told.at > tellMs;
    if (!isNews) return;
    // The file gets shorter after a checkpoint.
    if (compaction.state === 'done' || compaction.state === 'stopped') checkpoint(this.#db, 0);
    this.#told = { state: compaction.state, at: performance.now() };
    this.#reply({ kind: 'compaction', compaction });
  }

  /** The first task with work goes first. Urgent ones are those that people wait for, and those that would fall behind for ever. */
  #newIdleTasks(): IdleTask[] {
    const { retention, erasure, compactor, deletions } = this.#writer;
    return [
      { step: () => deletions.removeStep(), isUrgent: true },
      retention,
      erasure,
      compactor,
      { step: () => deletions.eraseStep() },
      new ColumnMaker(this.#db),
      { step: () => this.#signatures.step(), isUrgent: true },
      { step: () => deletions.finishStep(() => emptyLog(this.#db)) },
    ];
  }

  command(id: number, call: CommandCall): void {
    try {
      const refusal = this.#readiness();
      if (refusal) throw refusal;
      runCommand(this.#commands, call);
      this.#reply({ kind: 'written', id, outcome: { accepted: 0, duplicates: 0, conflicts: [] } });
      this.#idleWork.soon();
    } catch (error) {
      const errorKind = error instanceof StorageError ? error.errorKind : (storageErrorKind(error) ?? 'mistake');
      this.#reply({ kind: 'refused', id, errorKind, message: error instanceof Error ? error.message : String(error) });
    }
  }

  #write(group: PendingRequest[]): void {
    const refusal = this.#readiness();
    if (refusal) {
      for (const { id } of group) this.#reply({ kind: 'refused', id, errorKind: refusal.errorKind, message: refusal.message });
      return;
    }
    const began = performance.now();
    const { results, notices, runs } = this.#writer.write(group);
    this.#idleWork.wrote(performance.now() - began);
    results.forEach((result, index) => {
      const { id } = group[index] as PendingRequest;
      if ('outcome' in result) this.#reply({ kind: 'written', id, outcome: result.outcome });
      else if ('spent' in result) this.#reply({ kind: 'spent', id, spent: result.spent });
      else {
        const { errorKind, message } = result.error;
        this.#usable &&= errorKind !== 'io' && errorKind !== 'corrupt';
        if (errorKind === 'corrupt') this.#damageReporter.report('database', 'writing', message);
        this.#reply({ kind: 'refused', id, errorKind, message });
      }
    });
    if (notices.length > 0) this.#reply({ kind: 'committed', notices });
    for (const message of group) if ('batch' in message) release(message.batch.bytes);
    if (this.#usable) {
      this.#guard.see(runs);
      this.#tendLog();
      this.#idleWork.soon();
    }
    this.#worked();
  }

  /**
   * Null when the store can be written. After a failed read or write the connection is reopened, because its memory may differ from the disk.
   * A moved or replaced file is never followed or created again: that would look like an empty store.
   */
  #readiness(): StorageError | null {
    try {
      if (statSync(this.#file, { throwIfNoEntry: false })?.ino !== this.#inode) {
        return new StorageError(
          'io',
          `${this.#file} was moved, replaced or deleted while the gateway ran. Put it back, or start the gateway again.`,
        );
      }
      if (this.#usable) return null;
      this.#writer.compactor.fail('The disk failed meanwhile. Begin again.');
      this.#guard.stop();
      this.#db.close();
      this.#db = openWriter(this.#file);
      this.#writer = this.#newWriter();
      this.#commands = createCommands(this.#writer);
      this.#signatures = new SignatureMaker(this.#db);
      this.#guard = this.#newGuard();
      this.#idleWork.replace(this.#newIdleTasks());
      this.#usable = true;
      return null;
    } catch (error) {
      return error instanceof StorageError ? error : new StorageError('io', String(error));
    }
  }

  #tendLog(): void {
    const now = performance.now();
    if (now - this.#logLookedAt < logLookMs) return;
    this.#logLookedAt = now;
    checkpoint(this.#db, logBytesMax);
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => checkpoint(this.#db, idleLogBytesMax), idleMs);
    this.#idle.unref();
  }

  /** Writes the queued requests, checkpoints the log, and closes. */
  stop(): void {
    clearTimeout(this.#idle);
    this.groups.stop();
    clearTimeout(this.#idle);
    this.#idleWork.stop();
    clearInterval(this.#waking);
    this.#guard.stop();
    this.#writer.close();
  }
}
