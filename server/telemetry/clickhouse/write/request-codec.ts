/**
 * A change of a store as bytes, as it waits in a journal: JSON, and the bytes of a batch after it, compressed with zstd. Gateways of two versions
 * read each other's while a new one is rolled out, so that fields are only added.
 */
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { unpack } from '../../../ingest/prepare/pack.ts';
import type { PreparedBatch } from '../../../ingest/prepare/prepared.ts';
import { StorageError } from '../../storage-error.ts';
import type { BatchRequest, ChangeRequest, SentRequest, StoreRequest } from '../../store-requests.ts';

const version = 1;
const lengthBytes = 4;
/** Above the size of any request. */
const plainBytesMax = 512 * 1024 * 1024;

type Head = { v: number } & (ChangeRequest | (Omit<BatchRequest, 'batch'> & { batch: Omit<PreparedBatch, 'bytes'> }));

export interface EncodedRequest {
  /** They have a buffer of their own. */
  body: Uint8Array<ArrayBuffer>;
  /** Size before compression, bytes. */
  size: number;
}

/** A request as it came to a thread. */
export const unpacked = (request: SentRequest): StoreRequest =>
  request.kind === 'batch' ? { ...request, batch: unpack(request.batch) } : request;

export function encodeRequest(request: StoreRequest): EncodedRequest {
  const { head, bytes } = split(request);
  const json = Buffer.from(JSON.stringify(head));
  const length = Buffer.alloc(lengthBytes);
  length.writeUInt32LE(json.length);
  const params = { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_checksumFlag]: 1 };
  const plain = Buffer.concat([length, json, bytes]);
  return { body: new Uint8Array(zstdCompressSync(plain, { params })), size: plain.length };
}

/** @throws StorageError `newer_schema`; another error when the bytes are no request */
export function decodeRequest(body: Uint8Array): StoreRequest {
  const plain = zstdDecompressSync(body, { maxOutputLength: plainBytesMax });
  const end = lengthBytes + plain.readUInt32LE(0);
  const { v, ...head } = JSON.parse(plain.toString('utf8', lengthBytes, end)) as Head;
  if (v !== version) throw new StorageError('newer_schema', `An entry has version ${v}; this gateway reads version ${version}`);
  if (head.kind !== 'batch') return head as ChangeRequest;
  return { ...head, batch: { ...head.batch, bytes: plain.subarray(end) } } as BatchRequest;
}

function split(request: StoreRequest): { head: Head; bytes: Uint8Array } {
  if (request.kind !== 'batch') return { head: { v: version, ...request }, bytes: new Uint8Array() };
  const { bytes, ...batch } = request.batch;
  return { head: { v: version, ...request, batch }, bytes };
}
