/**
 * From what a sender said to one vocabulary. Pure: the same span gives the same answer when it arrives and when it is read,
 * so only the raw truth is stored and a better normaliser improves old traces too.
 */
export {
  agreedType,
  CLAUDE_CODE_ARGUMENTS,
  contentKeys,
  contentOf,
  contentOfEvent,
  droppedMark,
  type EmbeddedMedia,
  explainContent,
  jsonOf,
  MediaReferences,
  previewOf,
  wireMessages,
} from './content/index.ts';
export { explain, summarise } from './summary/index.ts';
