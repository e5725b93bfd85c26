/**
 * `npm run check -- citations`: references in comments and documents must resolve inside this repository. Every `docs/….md#heading`,
 * `ADR nnn` and relative link leads to an existing file and heading, every document is listed in docs/README.md or docs/adr/README.md, and
 * no text cites a document outside the repository.
 */
import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { anchorsOf, type Document, lineAt, readDocuments, withoutCode } from './documents.ts';
import { asText, type Finding } from './finding.ts';

interface Library {
  root: string;
  documents: Document[];
  /** The anchors of each Markdown file. */
  anchors: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Documents outside the repository, cited by name with a number or a letter; and issues of a tracker. */
const outside = [
  /\b(?:contract|rulings?|reliability|ingest|spec|findings?|corpus|toolchain)(?:\.md)?\s+(?:[A-Z]{1,2}-?)?\d+(?:\.\d+)*\b/gi,
  /\b(?:house|scale|performance|features|peers|anchors)(?:\.md\s+\d+|\s+\d+\.\d+)\b/gi,
  /\bcorpus,\s+points?\s+\d/gi,
  /\b(?:the|reliability) study\b|\bspec "|\(spec\b,/gi,
  /\bissue\s+[A-Z]\b/g,
];

/** Replaces comment markers at line starts by blanks, so that a citation that wraps over two lines is found. */
const withoutCommentMarkers = (text: string): string =>
  text.replace(/\n[ \t]*(?:\*(?!\/)|\/\/|#(?= ))/g, (marker) => marker.replace(/[^\n]/g, ' '));

function outsideCitations({ documents }: Library): Finding[] {
  return documents.flatMap(({ file, text }) => {
    const plain = file.endsWith('.md') ? text : withoutCommentMarkers(text);
    return outside.flatMap((form) =>
      [...plain.matchAll(form)].map(({ 0: cited, index }) => ({
        rule: 'citations-stay-inside',
        file: `${file}:${lineAt(text, index)}`,
        what: `cites '${cited.replace(/\s+/g, ' ')}', which is not in this repository`,
        instead: 'Give the reason in one sentence, or cite a section of docs/reference or an ADR.',
      })),
    );
  });
}

/** @returns why a target does not exist, or null when it does. @param path relative to the root */
function problemOf({ root, anchors }: Library, path: string, anchor: string): string | null {
  if (!existsSync(join(root, path))) return 'which does not exist';
  const headings = anchors.get(path);
  return anchor === '' || headings === undefined || headings.has(anchor) ? null : 'whose heading does not exist';
}

function brokenMentions(library: Library): Finding[] {
  return library.documents.flatMap(({ file, text }) =>
    [...text.matchAll(/(?<![\w/.-])(docs\/[\w./-]*?\.md)(?:#([\w-]+))?/g)].flatMap(
      ({ 0: citation, 1: path = '', 2: anchor = '', index }) => {
        const problem = problemOf(library, path, anchor);
        return problem ? [broken(`${file}:${lineAt(text, index)}`, citation, problem)] : [];
      },
    ),
  );
}

function brokenLinks(library: Library): Finding[] {
  return library.documents
    .filter(({ file }) => file.endsWith('.md'))
    .flatMap(({ file, text }) =>
      [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)|(?:src|srcset|href)="([^"]+)"/g)].flatMap(({ 1: link, 2: address, index }) => {
        const target = link ?? address ?? '';
        if (/^[a-z]+:/.test(target)) return [];
        const [path = '', anchor = ''] = target.split('#');
        const problem = problemOf(library, path === '' ? file : posix.join(posix.dirname(file), path), anchor);
        return problem ? [broken(`${file}:${lineAt(text, index)}`, target, problem)] : [];
      }),
    );
}

const broken = (file: string, target: string, problem: string): Finding => ({
  rule: 'citations-resolve',
  file,
  what: `leads to ${target}, ${problem}`,
  instead: 'Link to an existing file and heading; anchors are lower case with hyphens.',
});

function brokenDecisions({ documents, anchors }: Library): Finding[] {
  const numbers = new Set([...anchors.keys()].flatMap((file) => /^docs\/adr\/(\d{3})-/.exec(file)?.[1] ?? []));
  return documents.flatMap(({ file, text }) =>
    [...withoutCommentMarkers(text).matchAll(/\bADRs?\s+(\d+)/g)]
      .filter(([, number = '']) => !numbers.has(number))
      .map(({ 1: number, index }) => broken(`${file}:${lineAt(text, index)}`, `ADR ${number}`, 'which is not in docs/adr')),
  );
}

/** Nobody finds a document that no index links to. The indexes are those of the documents and of the decisions. */
function unlisted({ documents }: Library): Finding[] {
  const textOf = (file: string) => documents.find((document) => document.file === file)?.text ?? '';
  return documents.flatMap(({ file }) => {
    if (!/^docs\/.*\.md$/.test(file) || file === 'docs/README.md') return [];
    const isDecision = /^docs\/adr\/\d/.test(file);
    const index = isDecision ? 'docs/adr/README.md' : 'docs/README.md';
    const name = posix.relative(posix.dirname(index), file);
    if (textOf(index).includes(`](${name})`)) return [];
    return [{ rule: 'documents-are-listed', file, what: `has no link in ${index}`, instead: 'Add a link with a line on what it is for.' }];
  });
}

const root = join(import.meta.dirname, '..');
const documents = readDocuments(root);
const markdown = documents.filter(({ file }) => file.endsWith('.md'));
const library: Library = { root, documents, anchors: new Map(markdown.map(({ file, text }) => [file, anchorsOf(text)])) };
const findings = [outsideCitations, brokenMentions, brokenLinks, brokenDecisions, unlisted].flatMap((rule) => rule(library));

for (const finding of findings) process.stdout.write(`${asText(finding)}\n`);
process.stdout.write(`${documents.length} documents, ${findings.length} breaches\n`);
process.exitCode = findings.length > 0 || documents.length === 0 ? 1 : 0;
