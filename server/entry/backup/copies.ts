/** Copies of the stores of a data folder, in one folder. */
import { existsSync, statfsSync, statSync } from 'node:fs';
import { StartRefusal } from '../../platform/start-refusal.ts';
import { copyStore, verifyCopy } from '../copy-store.ts';

/** Path of a store in a data folder. */
export type StoreFile = (folder: string) => string;

/** Left free on the disk of the copies, which may be that of the gateway. */
const sparedBytes = 1024 ** 3;

/**
 * Copies the stores, in their order, and verifies the copies.
 * @returns their size, bytes
 * @throws StartRefusal
 */
export async function makeCopies(stores: readonly StoreFile[], from: string, to: string): Promise<number> {
  requireStores(stores, from);
  requireRoom(to, sizeOf(stores, from));
  for (const file of stores) await copy(file(from), file(to));
  return verifyCopies(stores, to);
}

/** @throws StartRefusal */
export function requireStores(stores: readonly StoreFile[], folder: string): void {
  for (const file of stores) if (!existsSync(file(folder))) throw new StartRefusal(`There is no store ${file(folder)}`);
}

/** @throws StartRefusal when there is not enough room in a folder */
export function requireRoom(folder: string, bytes: number): void {
  const { bavail, bsize } = statfsSync(folder);
  const [free, needed] = [bavail * bsize, bytes + sparedBytes].map((count) => `${(count / 1024 ** 3).toFixed(1)} GiB`);
  if (bavail * bsize < bytes + sparedBytes) throw new StartRefusal(`${folder} has ${free} of room, and ${needed} are needed`);
}

/** With their write-ahead logs. */
export const sizeOf = (stores: readonly StoreFile[], folder: string): number =>
  stores
    .flatMap((file) => [file(folder), `${file(folder)}-wal`])
    .reduce((bytes, file) => bytes + (statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0);

/** @returns their size, bytes @throws StartRefusal when one is missing or damaged */
export function verifyCopies(stores: readonly StoreFile[], folder: string): number {
  requireStores(stores, folder);
  for (const file of stores) {
    const result = verifyCopy(file(folder));
    if (result !== 'ok') throw new StartRefusal(`${file(folder)} is damaged: ${result}`);
  }
  return sizeOf(stores, folder);
}

async function copy(from: string, to: string): Promise<void> {
  if (existsSync(to)) throw new StartRefusal(`${to} exists already: choose a folder without stores`);
  try {
    await copyStore(from, to, progressOf(from));
  } catch (error) {
    throw new StartRefusal(`${from} could not be copied to ${to}: ${(error as Error).message}`);
  }
}

/** Prints the progress: on a terminal twice a second, otherwise every five seconds. */
function progressOf(file: string): (part: number) => void {
  const [everyMs, end] = process.stderr.isTTY ? [500, '\r'] : [5000, '\n'];
  let printedAt = performance.now();
  return (part) => {
    if (performance.now() - printedAt < everyMs) return;
    printedAt = performance.now();
    process.stderr.write(`${file}: ${Math.floor(part * 100)} % copied${end}`);
  };
}
