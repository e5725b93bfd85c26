import { posix } from 'node:path';
import type { Finding } from './finding.ts';
import type { Tree } from './tree.ts';

const kebab = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)*\.[cm]?[jt]sx?$/;
const drawer = /^(utils?|helpers?|types|common|misc|manager)$|-(utils?|helpers?|manager)$/;

/** Names that say nothing collect what has no place; folders count as well as files. */
const emptyName = (file: string) => file.split('/').find((part) => drawer.test(part.replace(/\..*$/, '')));

export const fileNames = ({ files }: Tree): Finding[] =>
  files.flatMap((file) => {
    const found: Finding[] = [];
    if (!kebab.test(posix.basename(file)))
      found.push({
        rule: 'file-names-are-kebab-case',
        file,
        what: 'is not in kebab-case',
        instead: 'Lower-case words with hyphens, named after what the file exports.',
      });
    const empty = emptyName(file);
    if (empty)
      found.push({
        rule: 'file-names-have-a-subject',
        file,
        what: `'${empty}' names nothing`,
        instead: 'A function has a subject: name the file for it.',
      });
    return found;
  });
