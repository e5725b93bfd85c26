/** Damages the files of a store, determined by a seed: random bytes in random pages of the database or its write-ahead log. */
import { closeSync, existsSync, openSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { Random } from '../traffic/random.ts';

const pageBytes = 4096;
const pagesMax = 6;
const bytesMax = 64;

/** @returns a description of the damage, for the report of a failing seed */
export function flipBytes(folder: string, seed: number): string {
  const random = new Random(`damage ${seed}`);
  const roll = random.fraction();
  const names = roll < 0.6 ? ['telemetry.db'] : roll < 0.9 ? ['telemetry.db-wal'] : ['telemetry.db', 'telemetry.db-wal'];
  return names.map((name) => flipIn(join(folder, name), random)).join('; ');
}

function flipIn(path: string, random: Random): string {
  if (!existsSync(path)) return 'nothing';
  const { size } = statSync(path);
  const file = openSync(path, 'r+');
  const damage: string[] = [];
  for (let left = random.between(1, pagesMax); left > 0; left--) {
    const count = random.chance(0.3) ? 1 : random.between(2, bytesMax);
    const page = random.between(0, Math.floor(size / pageBytes) - 1);
    const offset = page * pageBytes + random.between(0, pageBytes - count);
    writeSync(file, Buffer.from(random.hex(count * 2), 'hex'), 0, count, offset);
    damage.push(`${count} bytes at ${offset}`);
  }
  closeSync(file);
  return `${path.split('/').at(-1)}: ${damage.join(', ')}`;
}
