/** The text that people read in the tree: documents, and the sources whose comments refer to them. */
import { globSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { packages } from './tree.ts';

export interface Document {
  /** Relative to the root, with forward slashes. */
  file: string;
  text: string;
}

const kinds = '{ts,tsx,cts,mts,cjs,mjs,md,yml,yaml,css,html,conf,service}';
const patterns = [
  `{${[...packages, 'docs', 'deploy', 'build', '.github'].join(',')}}/**/*.${kinds}`,
  `*.${kinds}`,
  '{Dockerfile,deploy/Caddyfile}',
];

export const readDocuments = (root: string): Document[] =>
  globSync(patterns, { cwd: root, exclude: ['**/node_modules/**'] })
    .map((file) => file.split(sep).join('/'))
    .sort()
    .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));

/** Blanks instead of nothing, so that positions do not change. */
const blank = (text: string): string => text.replace(/[^\n]/g, ' ');

/** Markdown without its code blocks. */
export const withoutBlocks = (text: string): string => text.replace(/^(```|~~~)[\s\S]*?^\1/gm, blank);

/** Markdown without anything that is code. */
export const withoutCode = (text: string): string => withoutBlocks(text).replace(/`[^`\n]*`/g, blank);

/** The anchors that GitHub gives to the headings of a Markdown text. */
export function anchorsOf(text: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of withoutBlocks(text).matchAll(/^#{1,6} +(.+?) *$/gm)) {
    const words = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const anchor = words.replace(/[^\p{L}\p{N}\p{M}_ -]/gu, '').replaceAll(' ', '-');
    let unique = anchor;
    for (let count = 1; anchors.has(unique); count++) unique = `${anchor}-${count}`;
    anchors.add(unique);
  }
  return anchors;
}

export const lineAt = (text: string, offset: number): number => text.slice(0, offset).split('\n').length;
