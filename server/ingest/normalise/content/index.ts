/** From a raw span to its payload in one canonical form, its preview, and where each field came from. */
export { contentOf, explainContent } from './content-of.ts';
export { previewOf } from './preview.ts';
