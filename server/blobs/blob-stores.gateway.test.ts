import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startS3, type TestS3 } from '../fixtures/s3.ts';
import { BlobError, removeSome } from './blob-store.ts';
import { describeBlobStore } from './conformance/describe-blob-store.ts';
import { generationOf, getContent, keyOfContent, putContent, sha256Of } from './contents.ts';
import { FolderBlobs } from './folder-blobs.ts';
import { GuardedBlobs } from './guarded-blobs.ts';
import { openBlobs } from './open-blobs.ts';
import { S3Blobs } from './s3-blobs.ts';

describeBlobStore('a folder', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'glasshouse-blobs-'));
  return { blobs: new GuardedBlobs(new FolderBlobs(folder, 10)), stop: async () => rmSync(folder, { recursive: true, force: true }) };
});

describeBlobStore('S3', async () => {
  const { server, stop } = await startS3();
  return { blobs: openBlobs({ s3: server.place }), stop };
});

describe('S3', () => {
  let s3: TestS3;
  beforeAll(async () => {
    s3 = await startS3();
  });
  afterAll(() => s3.stop());

  const failureOf = (work: Promise<unknown>) =>
    work.then(
      () => null,
      (error: unknown) => (error instanceof BlobError ? [error.failure, error.message] : error),
    );

  it.each([
    [{ keySecret: 'another' }, 'SignatureDoesNotMatch'],
    [{ keyId: 'another' }, 'InvalidAccessKeyId'],
    [{ region: 'us-east-1' }, 'AuthorizationHeaderMalformed'],
  ])('refuses requests with other settings, and says why: %j', async (other, code) => {
    const blobs = new S3Blobs({ ...s3.server.place, ...other });
    const refused = ['refused', `The blob store refuses the gateway (${code})`];
    expect(await failureOf(blobs.put('a/b', Buffer.from('x')))).toEqual(refused);
    expect(await failureOf(blobs.get('a/b'))).toEqual(refused);
    expect(await failureOf(blobs.list('a/'))).toEqual(refused);
  });

  it('a bucket that does not exist is no missing blob', async () => {
    const { url, ...place } = s3.server.place;
    const blobs = new S3Blobs({ ...place, url: url.replace('/glasshouse/', '/none/') });
    expect(await failureOf(blobs.get('a/b'))).toEqual(['refused', 'The blob store refuses the gateway (NoSuchBucket)']);
  });

  it('an address with nothing of S3 stores nothing, and has no missing blobs', async () => {
    const nothing = createServer((_, response) => response.writeHead(404).end());
    await once(nothing.listen(0, '127.0.0.1'), 'listening');
    const { port } = nothing.address() as AddressInfo;
    const blobs = new S3Blobs({ ...s3.server.place, url: `http://127.0.0.1:${port}/bucket` });
    const refused = ['refused', 'The blob store refuses the gateway (404)'];
    const requests = [blobs.put('a/b', Buffer.from('x')), blobs.get('a/b'), blobs.remove('a/b'), blobs.list('a/')];
    expect(await Promise.all(requests.map(failureOf))).toEqual(requests.map(() => refused));
    nothing.close();
    nothing.closeAllConnections();
  });

  it.each(['slow-down', 'reset', 'hang'] as const)(
    '%s: a read fails within seconds, and the others of the moment with it',
    async (fault) => {
      const blobs = openBlobs({ s3: s3.server.place });
      await blobs.put('a/b', Buffer.from('x'));
      s3.server.fault = fault;
      const before = s3.server.requests.length;
      try {
        const failures = await Promise.all(Array.from({ length: 100 }, () => failureOf(blobs.get('a/b'))));
        expect(new Set(failures.map((failure) => (failure as string[])[0]))).toEqual(new Set(['unavailable']));
      } finally {
        s3.server.fault = null;
      }
      expect(s3.server.requests.length - before).toBeLessThanOrEqual(32);
      await expect.poll(() => failureOf(blobs.get('a/b')), { timeout: 10_000 }).toBeNull();
    },
    30_000,
  );

  it('a server that is away is unavailable', async () => {
    const away = await startS3();
    const blobs = new S3Blobs(away.server.place);
    await away.stop();
    expect(await failureOf(blobs.get('a/b'))).toEqual(['unavailable', 'The blob store does not answer']);
  });
});

it('a store that goes on listing what it said to remove is refused', async () => {
  const listed = ['a/b/1', 'a/b/2'];
  const blobs = { put: async () => {}, get: async () => null, remove: async () => {}, list: async () => listed };
  const removed = await removeSome(blobs, 'a/b/');
  await expect(removeSome(blobs, 'a/b/', removed)).rejects.toMatchObject({ failure: 'refused' });
});

describe('contents', () => {
  const folder = mkdtempSync(join(tmpdir(), 'glasshouse-blobs-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const blobs = new FolderBlobs(folder);
  const scope = { tenant_id: 'tenant', app_id: 'app' };
  const bytes = Buffer.from('a value '.repeat(1000));
  const sha256 = sha256Of(bytes);

  it('are stored compressed and returned as they were; others under their key are refused', async () => {
    const key = keyOfContent(scope, 'text', sha256, 7n);
    await putContent(blobs, key, bytes);
    expect((await blobs.get(key))?.length).toBeLessThan(bytes.length / 10);
    expect((await getContent(blobs, key, sha256))?.equals(bytes)).toBe(true);
    await putContent(blobs, key, Buffer.from('another'));
    await expect(getContent(blobs, key, sha256)).rejects.toMatchObject({ failure: 'damaged' });
    await blobs.put(key, Buffer.from('no zstd'));
    await expect(getContent(blobs, key, sha256)).rejects.toMatchObject({ failure: 'damaged' });
  });

  it('have the generation in the key', () => {
    for (const generation of [0n, 5n, 2n ** 60n + 3n])
      expect(generationOf(keyOfContent(scope, 'text', sha256, generation))).toBe(generation);
  });

  it.each(['..', '../other', 'a/b', '', 'ü', 'a'.repeat(500), '.'])('an id such as %j makes no other folder', (id) => {
    const [tenant, app, ...rest] = keyOfContent({ tenant_id: id, app_id: id }, 'text', sha256, 1n).split('/');
    expect([tenant, app, rest.length]).toEqual([expect.stringMatching(/^~[0-9a-f]{32}$/), tenant, 3]);
  });
});
