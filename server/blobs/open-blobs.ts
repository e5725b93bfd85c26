import type { BlobPlace, BlobStore } from './blob-store.ts';
import { FolderBlobs } from './folder-blobs.ts';
import { GuardedBlobs } from './guarded-blobs.ts';
import { S3Blobs } from './s3-blobs.ts';

/** Connects when it is used. */
export const openBlobs = (place: BlobPlace): BlobStore =>
  new GuardedBlobs('folder' in place ? new FolderBlobs(place.folder) : new S3Blobs(place.s3));
