/** Search parameters of the settings: the form of a new key with its environment, the result of a git provider's redirect, and the audit log. */
import { z } from 'zod';
import { readUrl, urlOneOf, urlPage, urlText } from '../../model/filter/url-shapes.ts';
import { recentRanges } from '../../model/time/time-range.ts';

const keysShape = z.object({ environment: urlText, form: urlOneOf(['new']) });
export const readKeysUrl = (search: unknown) => readUrl(keysShape, search);

const gitShape = z.object({ app: urlText, git: urlText });
export const readGitUrl = (search: unknown) => readUrl(gitShape, search);

const auditShape = z.object({ actor: urlText, action: urlText, last: urlOneOf(recentRanges), page: urlPage });
export type AuditView = z.output<typeof auditShape>;
export const readAuditUrl = (search: unknown): AuditView => readUrl(auditShape, search);
