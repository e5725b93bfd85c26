/**
 * Normalises spans of all conventions into one set of fields. Pure: the same span gives the same result when it arrives and when it is
 * read, so only the raw span is stored and a better normaliser improves old traces too.
 */
export {
  agreedType,
  type CallHashes,
  CLAUDE_CODE_ARGUMENTS,
  callHashesOf,
  contentKeys,
  contentOf,
  contentOfEvent,
  droppedMark,
  type EmbeddedMedia,
  explainContent,
  jsonOf,
  MediaReferences,
  previewOf,
  previewOfSide,
  promptOf,
  type Side,
  valueWithoutMedia,
  wireMessages,
  withoutMedia,
} from './content/index.ts';
export { SpanTexts } from './span-texts.ts';
export { agentNameIn, agentNamePrefix, explain, isIdentityKey, summarise, toolNameIn, toolNamePrefix } from './summary/index.ts';
