import { posix } from 'node:path';
import type { Finding } from './finding.ts';
import type { Tree } from './tree.ts';

const kebab = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)*\.[cm]?[jt]sx?$/;
const emptyWord = /^(utils?|helpers?|types|common|misc|manager)$|-(utils?|helpers?|manager)$/;

/** Files with meaningless names collect unrelated code. The rule holds for folders too. */
const meaninglessPart = (file: string) => file.split('/').find((part) => emptyWord.test(part.replace(/\..*$/, '')));

export const fileNames = ({ files }: Tree): Finding[] =>
  files.flatMap((file) => {
    const findings: Finding[] = [];
    if (!kebab.test(posix.basename(file)))
      findings.push({
        rule: 'file-names-are-kebab-case',
        file,
        what: 'is not in kebab-case',
        instead: 'Use lower-case words with hyphens, after what the file exports.',
      });
    const meaningless = meaninglessPart(file);
    if (meaningless)
      findings.push({
        rule: 'file-names-have-a-subject',
        file,
        what: `'${meaningless}' says nothing about its content`,
        instead: 'Name the file after the subject of its functions.',
      });
    return findings;
  });
