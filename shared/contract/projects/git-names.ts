/** Valid names of repositories and branches: what both providers allow and no command, path or URL can misread. */
import { bounded } from '../core/parameters.ts';

const namesMax = 255;

/** Parts of letters, digits, `_`, `-` and `.`: the owner first, the repository last, groups between. */
const repositoryForm = /^[A-Za-z0-9_](?:[\w-]|\.(?!\.))*(?:\/[A-Za-z0-9_](?:[\w-]|\.(?!\.))*){1,20}$/;

function isRepositoryName(name: string): boolean {
  return repositoryForm.test(name) && !name.split('/').some((part) => /\.(?:git|atom|lock)?$/i.test(part));
}

/** git-check-ref-format, without what reads as an option, and without `refs/…`, which would name a branch in a second way. */
function isBranchName(name: string): boolean {
  if (hasControlOrSpace(name) || /[~^:?*[\\]|\.\.|@\{|\/\/|\.$|\/$|^\/|^-|^refs\/|^@$|^HEAD$/.test(name)) return false;
  return !name.split('/').some((part) => part.startsWith('.') || part.startsWith('-') || part.endsWith('.lock'));
}

const hasControlOrSpace = (name: string): boolean =>
  [...name].some((character) => character <= ' ' || /[\u007f-\u00a0\u2028-\u202e\u2066-\u2069\ufeff]/.test(character));

export const repositoryName = bounded(1, namesMax).refine(isRepositoryName, 'must be a full name such as owner/repository');
export const branchName = bounded(1, namesMax).refine(isBranchName, 'is not a valid branch name');
