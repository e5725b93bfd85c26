/** Derives the payload of a raw span in one canonical form, its preview, and the source of each field. */
export { type CallHashes, callHashesOf } from './call-hashes.ts';
export { contentOfEvent } from './content-events.ts';
export { contentKeys, contentOf, explainContent, promptOf } from './content-of.ts';
export { droppedMark } from './dropped-content.ts';
/** Bytes inside payloads: their references in a preview, and the types that they may be served as. */
export type { EmbeddedMedia } from './embedded-media.ts';
export { jsonOf, MediaReferences } from './media-references.ts';
export { agreedType } from './media-type.ts';
export type { Side } from './payload.ts';
export { previewOf, previewOfSide } from './preview.ts';
export { CLAUDE_CODE_ARGUMENTS } from './tool-payload.ts';
export { wireMessages } from './wire-messages.ts';
export { valueWithoutMedia, withoutMedia } from './without-media.ts';
