/** What every blob store promises. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BlobStore, removeSome } from '../blob-store.ts';

export interface OpenedBlobs {
  blobs: BlobStore;
  stop(): Promise<void>;
}

export function describeBlobStore(name: string, open: () => Promise<OpenedBlobs>): void {
  describe(`blobs in ${name}`, () => {
    let opened: OpenedBlobs;
    let blobs: BlobStore;
    beforeAll(async () => {
      opened = await open();
      blobs = opened.blobs;
    });
    afterAll(() => opened.stop());

    const folder = () => `tenant/${randomUUID()}/`;
    const text = (bytes: Uint8Array | null) => bytes && Buffer.from(bytes).toString();

    it('returns what was put, byte for byte, and the last of what was put under a key', async () => {
      const key = `${folder()}text/value`;
      const bytes = Uint8Array.from({ length: 300_000 }, (_, at) => (at * 7 + (at >> 8)) & 0xff);
      await blobs.put(key, bytes);
      expect(Buffer.compare((await blobs.get(key)) ?? new Uint8Array(), bytes)).toBe(0);
      await blobs.put(key, Buffer.from('another'));
      expect(text(await blobs.get(key))).toBe('another');
    });

    it('an empty blob is not a missing one', async () => {
      const key = `${folder()}empty`;
      expect(await blobs.get(key)).toBeNull();
      await blobs.put(key, new Uint8Array());
      expect(text(await blobs.get(key))).toBe('');
    });

    it('what was removed is gone, and removing it again changes nothing', async () => {
      const app = folder();
      await blobs.put(`${app}text/one`, Buffer.from('1'));
      await blobs.put(`${app}text/two`, Buffer.from('2'));
      await blobs.remove(`${app}text/one`);
      await blobs.remove(`${app}text/one`);
      expect([await blobs.get(`${app}text/one`), text(await blobs.get(`${app}text/two`))]).toEqual([null, '2']);
    });

    it('lists what is in a folder and its folders, in order, and nothing of others', async () => {
      const app = folder();
      for (const key of ['b/2', 'a/1', 'b/1']) await blobs.put(`${app}${key}`, Buffer.from(key));
      await blobs.put(`${app.slice(0, -1)}-other/a/1`, Buffer.from('other'));
      expect(await blobs.list(app)).toEqual([`${app}a/1`, `${app}b/1`, `${app}b/2`]);
      expect(await blobs.list(`${app}b/`)).toEqual([`${app}b/1`, `${app}b/2`]);
      expect(await blobs.list(folder())).toEqual([]);
    });

    it('removes a folder of more blobs than are listed at once, and no other one', async () => {
      const [app, other] = [folder(), folder()];
      await blobs.put(`${other}kept`, Buffer.from('kept'));
      const keys = Array.from({ length: 25 }, (_, number) => `${app}text/${number}`);
      await Promise.all(keys.map((key) => blobs.put(key, Buffer.from('x'))));
      expect((await blobs.list(app)).length).toBeLessThan(25);
      for (let removed = await removeSome(blobs, app); removed.length > 0; ) removed = await removeSome(blobs, app, removed);
      expect(await blobs.list(app)).toEqual([]);
      expect(text(await blobs.get(`${other}kept`))).toBe('kept');
    });

    it('puts and removals of one folder at the same time do not disturb each other', async () => {
      const app = folder();
      await Promise.all(
        Array.from({ length: 16 }, async (_, number) => {
          await blobs.put(`${app}text/${number}`, Buffer.from('x'));
          if (number % 2 === 0) await blobs.remove(`${app}text/${number}`);
        }),
      );
      expect(await blobs.list(app)).toHaveLength(8);
    });

    it('a read whose caller has left ends', async () => {
      const key = `${folder()}value`;
      await blobs.put(key, Buffer.from('x'));
      const reason = new Error('left');
      await expect(blobs.get(key, AbortSignal.abort(reason))).rejects.toBe(reason);
    });
  });
}
