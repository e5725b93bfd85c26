/**
 * Detects damage in a write-ahead log. SQLite silently ends its recovery at the first invalid frame, because a power cut leaves such a frame
 * at the end. Valid commits behind that frame were written, and would be lost. Format: https://www.sqlite.org/fileformat2.html, section 4.
 */
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { newStorePageBytes } from './open.ts';

export interface LogDamage {
  /** Complete commits before the damage, and those behind it, which SQLite cannot reach. */
  commitsKept: number;
  commitsCut: number;
  framesCut: number;
}

const headerBytes = 32;
const frameHeaderBytes = 24;
/** Lowest bit: checksums are of big-endian numbers. */
const magic = 0x377f0682;

type Checksum = readonly [number, number];

/** Null for a log that is undamaged, torn at its end as by a power cut, empty or missing. Reads the whole file and changes nothing. */
export function inspectLog(logFile: string): LogDamage | null {
  const size = statSync(logFile, { throwIfNoEntry: false })?.size ?? 0;
  if (size <= headerBytes + frameHeaderBytes) return null;
  const log = openSync(logFile, 'r');
  try {
    return inspectFrames(log, size, () => storePageBytes(logFile));
  } finally {
    closeSync(log);
  }
}

function inspectFrames(log: number, size: number, pageBytesOf: () => number): LogDamage | null {
  const header = headerOf(log, pageBytesOf);
  if (!header) return null;
  const frameBytes = frameHeaderBytes + header.pageBytes;
  const frames = Math.floor((size - headerBytes) / frameBytes);
  const bytes = Buffer.from(new ArrayBuffer(frameBytes));
  const found = { commitsKept: 0, commitsCut: 0, framesCut: 0 };
  // Without a valid header SQLite takes the whole log for empty.
  let chain = header.checksum;
  let badFrame = chain ? Number.POSITIVE_INFINITY : -1;
  let hasCommitBehind = false;
  let sinceCommit = 0;
  for (let frame = 0; frame < frames; frame++) {
    readSync(log, bytes, 0, frameBytes, headerBytes + frame * frameBytes);
    const belongsToLog = bytes.readUInt32BE(0) !== 0 && header.salts.equals(bytes.subarray(8, 16));
    chain = chain && belongsToLog ? nextChecksum(chain, bytes, header.isBigEndian) : null;
    if (!chain) badFrame = Math.min(badFrame, frame);
    // Frame of an earlier use of the file, or damaged.
    if (!belongsToLog) continue;
    sinceCommit++;
    if (bytes.readUInt32BE(4) === 0) continue;
    if (chain) found.commitsKept++;
    else {
      found.commitsCut++;
      found.framesCut += sinceCommit;
      hasCommitBehind ||= frame > badFrame;
    }
    sinceCommit = 0;
  }
  return hasCommitBehind ? found : null;
}

interface LogHeader {
  pageBytes: number;
  isBigEndian: boolean;
  /** Every frame that belongs to this use of the file begins with them. */
  salts: Buffer;
  /** Seed of the checksum of the first frame; null when the header is damaged. */
  checksum: Checksum | null;
}

/** @param pageBytesOf page size of the store, for a log with a damaged header */
function headerOf(log: number, pageBytesOf: () => number): LogHeader | null {
  const bytes = Buffer.from(new ArrayBuffer(headerBytes + frameHeaderBytes));
  readSync(log, bytes, 0, bytes.length, 0);
  const pageBytes = bytes.readUInt32BE(8);
  const isBigEndian = (bytes.readUInt32BE(0) & 1) === 1;
  const checksum = sum([0, 0], bytes, 0, 24, isBigEndian);
  const isValid = (bytes.readUInt32BE(0) & ~1) >>> 0 === magic && isChecksum(checksum, bytes, 24) && isPageSize(pageBytes);
  if (isValid) return { pageBytes, isBigEndian, salts: bytes.subarray(16, 24), checksum };
  // With a damaged header the salts of the first frame identify the log.
  const firstSalts = bytes.subarray(headerBytes + 8, headerBytes + 16);
  return { pageBytes: pageBytesOf(), isBigEndian, salts: firstSalts, checksum: null };
}

/** Page size in the header of the store that a log belongs to, or of new stores when that cannot be read. */
function storePageBytes(logFile: string): number {
  const bytes = Buffer.alloc(2);
  try {
    const store = openSync(logFile.slice(0, -'-wal'.length), 'r');
    try {
      readSync(store, bytes, 0, bytes.length, 16);
    } finally {
      closeSync(store);
    }
  } catch {
    return newStorePageBytes;
  }
  const stored = bytes.readUInt16BE(0);
  return isPageSize(stored) ? stored : newStorePageBytes;
}

const isPageSize = (bytes: number): boolean => bytes >= 512 && bytes <= 65_536 && (bytes & (bytes - 1)) === 0;

/** Checksum of a frame; null when it does not match the stored one. */
function nextChecksum(before: Checksum, frame: Buffer, isBigEndian: boolean): Checksum | null {
  const checksum = sum(sum(before, frame, 0, 8, isBigEndian), frame, frameHeaderBytes, frame.length, isBigEndian);
  return isChecksum(checksum, frame, 16) ? checksum : null;
}

const isChecksum = ([first, second]: Checksum, bytes: Buffer, at: number): boolean =>
  first === bytes.readUInt32BE(at) && second === bytes.readUInt32BE(at + 4);

function sum([first, second]: Checksum, bytes: Buffer, from: number, to: number, isBigEndian: boolean): Checksum {
  const words = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let [a, b] = [first, second];
  for (let at = from; at < to; at += 8) {
    a = (a + words.getUint32(at, !isBigEndian) + b) >>> 0;
    b = (b + words.getUint32(at + 4, !isBigEndian) + a) >>> 0;
  }
  return [a, b];
}
