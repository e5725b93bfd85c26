/** Search parameters of the settings: environment of a new key, and the result of a git provider's redirect. */
import { z } from 'zod';
import { readUrl, urlText } from '../../model/filter/url-shapes.ts';

const keysShape = z.object({ environment: urlText });
export const readKeysUrl = (search: unknown) => readUrl(keysShape, search);

const gitShape = z.object({ app: urlText, git: urlText });
export const readGitUrl = (search: unknown) => readUrl(gitShape, search);
