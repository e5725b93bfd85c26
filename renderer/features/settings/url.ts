/** Search parameters of the settings: the form of a new key with its environment, and the result of a git provider's redirect. */
import { z } from 'zod';
import { readUrl, urlOneOf, urlText } from '../../model/filter/url-shapes.ts';

const keysShape = z.object({ environment: urlText, form: urlOneOf(['new']) });
export const readKeysUrl = (search: unknown) => readUrl(keysShape, search);

const gitShape = z.object({ app: urlText, git: urlText });
export const readGitUrl = (search: unknown) => readUrl(gitShape, search);
