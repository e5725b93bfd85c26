/** What of the settings is in the address: the environment that a key is made for, and how a git provider sent the browser back. */
import { z } from 'zod';
import { readUrl, urlText } from '../../model/url-shapes.ts';

const keysShape = z.object({ environment: urlText });
export const readKeysUrl = (search: unknown) => readUrl(keysShape, search);

const gitShape = z.object({ app: urlText, git: urlText });
export const readGitUrl = (search: unknown) => readUrl(gitShape, search);
