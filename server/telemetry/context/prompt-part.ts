/** A prompt as context windows see it, whichever store its call comes from. */
import type { PartOrigin } from '../../../shared/contract/tracing/context-terms.ts';

export interface PromptPart {
  origin: PartOrigin;
  /** The tool, the file or the type of media; empty without one. */
  name: string;
  /** Everything of it that a model reads. Media are their reference or a hash. */
  text: string;
  /** One line. */
  label: string;
  /** Of a tool result: which call it answers; otherwise empty. */
  callId: string;
  /** How many tools are defined in it; 1 for other parts. */
  items: number;
  /** Tokens that its text does not tell, such as those of an image; null where the text tells them. */
  mediaTokens: number | null;
}
