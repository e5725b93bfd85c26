/**
 * Removes the blobs of texts that nothing uses any more. What is to be removed is noted before the rows of the texts are deleted, so that a
 * restart finds it.
 */
import { generationOf } from '../../../blobs/contents.ts';
import type { Scope } from '../../../platform/scope.ts';
import { shaOf, type TextBlobs } from '../blobs/text-blobs.ts';
import { partsOf } from '../parameter-lists.ts';
import { ofApp, type ReadContext } from '../read/read-context.ts';
import type { Inserts } from './inserts.ts';
import type { Commits } from './versions.ts';

interface Parts {
  context: ReadContext;
  inserts: Inserts;
  commits: Commits;
  blobs: TextBlobs;
}

const blobsOfTexts = `SELECT DISTINCT blob FROM text WHERE ${ofApp} AND hash IN {ids:Array(String)} AND blob != ''`;
const noted = `SELECT sha256, toString(below) AS below FROM blob_removal FINAL WHERE ${ofApp} LIMIT 100`;
/** Texts that a removal which ended halfway did not delete, or that were stored again. */
const stillNamed = `SELECT DISTINCT blob FROM text
  WHERE ${ofApp} AND blob != '' AND hash IN {hashes:Array(String)}`;

export class BlobRemoval {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Notes the blobs of texts. Call it before their rows are deleted, while nothing writes. */
  async note(scope: Scope, hashes: readonly string[]): Promise<void> {
    const { context, commits } = this.#parts;
    // Texts that are stored again from now on have other blobs.
    const below = String(commits.beginGeneration());
    for (const part of partsOf(hashes)) {
      const rows = await context.inApp<{ blob: string }>(scope, blobsOfTexts, { ids: part });
      const contents = new Set(rows.map(({ blob }) => shaOf(blob)));
      await this.#put(
        scope,
        [...contents].map((sha256) => ({ sha256, below })),
      );
    }
  }

  /** Removes some of what was noted of an app. @returns whether there may be more @throws StorageError */
  async remove(scope: Scope): Promise<boolean> {
    const { context, blobs } = this.#parts;
    const rows = await context.inApp<{ sha256: string; below: string }>(scope, noted);
    if (rows.length === 0) return false;
    // A text has the first half of the hash of its blob.
    const hashes = rows.map(({ sha256 }) => sha256.slice(0, 32));
    const named = Map.groupBy(await context.inApp<{ blob: string }>(scope, stillNamed, { hashes }), ({ blob }) => shaOf(blob));
    const isNamed = ({ sha256, below }: { sha256: string; below: string }) =>
      named.get(sha256)?.some(({ blob }) => generationOf(blob) < BigInt(below)) ?? false;
    await Promise.all(rows.filter((row) => !isNamed(row)).map(({ sha256, below }) => blobs.removeOlder(scope, sha256, BigInt(below))));
    await this.#put(
      scope,
      rows.map(({ sha256, below }) => ({ sha256, below, gone: 1 })),
    );
    return true;
  }

  async #put({ tenant_id, app_id }: Scope, rows: readonly object[]): Promise<void> {
    const { inserts, commits } = this.#parts;
    const ver = String(commits.next());
    await inserts.insert(
      'blob_removal',
      rows.map((row) => ({ tenant_id, app_id, ...row, ver })),
    );
  }
}
