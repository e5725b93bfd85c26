/** Stand-ins in a copy of traces for long texts that it does not have: shorter than any long text, and after a NUL why. */
import { pieceLengthMin } from '../../../ingest/prepare/split-text.ts';
import { StorageError } from '../../storage-error.ts';

/** For a text that is fetched only when it is needed. */
export const deferredText = '\0';

/** For a text that cannot be read. */
export const unreadText = (reason: string): string => `\0${reason}`;

/** Make the copy again, with all texts. */
export class DeferredText extends StorageError {
  constructor() {
    super('busy', 'A text is needed that was not fetched');
  }
}

/** The text itself. @throws DeferredText, or StorageError `corrupt` for one that cannot be read */
export function requireText(text: string): string {
  if (text.length >= pieceLengthMin || !text.startsWith('\0')) return text;
  throw text === deferredText ? new DeferredText() : new StorageError('corrupt', text.slice(1));
}
