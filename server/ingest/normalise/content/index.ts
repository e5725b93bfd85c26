/** From a raw span to its payload in one canonical form, its preview, and where each field came from. */
export { contentOfEvent } from './content-events.ts';
export { contentKeys, contentOf, explainContent } from './content-of.ts';
/** Bytes inside payloads: what stands for them in a preview, and what they may be served as. */
export type { EmbeddedMedia } from './embedded-media.ts';
export { droppedMark } from './left-out.ts';
export { jsonOf, MediaReferences } from './media-references.ts';
export { agreedType } from './media-type.ts';
export { previewOf } from './preview.ts';
export { CLAUDE_CODE_ARGUMENTS } from './tool-payload.ts';
export { wireMessages } from './wire-messages.ts';
