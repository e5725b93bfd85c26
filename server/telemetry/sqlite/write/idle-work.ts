/** Background tasks of the write thread, one step at a time, while writes leave it time. */
import { storageErrorKind } from '../file/storage-error-kind.ts';
import { idleLogBytesMax, logBytesMax } from './write-log.ts';

export interface IdleTask {
  /** Does a few milliseconds of work. @returns whether there was any */
  step(): boolean;
  /** Goes on under load. */
  isUrgent?: boolean;
}

export interface IdleConditions {
  /** False after a disk failure, until a write succeeds. */
  isPossible(): boolean;
  /** Checkpoints a log longer than so many bytes. */
  checkpoint(bytesMax: number): void;
}

/** Tasks yield while writes use more than a third of the thread, and look again after `restMs`. */
const loadMax = 1 / 3;
const restMs = 100;
/**
 * Under such a load urgent tasks go on: a step of some 4 ms at a time, with rests between them so that the thread is busy for this part of the
 * time at most.
 */
const busyMax = 3 / 4;
const loadedRestMs = { min: 5, max: 200 };

export class IdleWork {
  #tasks: readonly IdleTask[];
  readonly #conditions: IdleConditions;
  #timer: NodeJS.Timeout | undefined;
  /** Start of the current load measurement, and the writing time since. */
  #lookedAt = performance.now();
  #wroteMs = 0;

  /** @param tasks the first with work goes first */
  constructor(tasks: readonly IdleTask[], conditions: IdleConditions) {
    this.#tasks = tasks;
    this.#conditions = conditions;
  }

  replace(tasks: readonly IdleTask[]): void {
    this.#tasks = tasks;
  }

  /** Adds the time of a write to the load. */
  wrote(ms: number): void {
    this.#wroteMs += ms;
  }

  soon(): void {
    if (!this.#timer) this.in(restMs);
  }

  in(ms: number): void {
    this.#timer = setTimeout(() => this.#work(), ms);
    this.#timer.unref();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #work(): void {
    this.#timer = undefined;
    if (!this.#conditions.isPossible()) return;
    const load = this.#load();
    if (load > loadMax) {
      const began = performance.now();
      const isBehind = this.#tasks.some((task) => task.isUrgent && this.#step(task));
      this.#conditions.checkpoint(logBytesMax);
      this.in(isBehind ? loadedRest(performance.now() - began, load) : restMs);
      return;
    }
    const isDone = this.#tasks.every((task) => !this.#step(task));
    this.#conditions.checkpoint(isDone ? idleLogBytesMax : logBytesMax);
    if (!isDone) this.in(0);
  }

  /** A task that fails by a bug stops until the next start: neither indexing nor retention is worth the thread that writes spans. */
  #step(task: IdleTask): boolean {
    try {
      return task.step();
    } catch (error) {
      if (!storageErrorKind(error)) this.#tasks = this.#tasks.filter((each) => each !== task);
      return false;
    }
  }

  /** The part of the time since the last look that was spent writing. */
  #load(): number {
    const now = performance.now();
    const load = this.#wroteMs / (now - this.#lookedAt);
    this.#lookedAt = now;
    this.#wroteMs = 0;
    return load;
  }
}

/** @param stepMs duration of the step before @param load part of the time that is spent writing */
function loadedRest(stepMs: number, load: number): number {
  const rest = load < busyMax ? (stepMs * load) / (busyMax - load) : loadedRestMs.max;
  return Math.min(Math.max(rest, loadedRestMs.min), loadedRestMs.max);
}
