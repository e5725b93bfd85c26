/**
 * `npm run check -- citations`: what a comment or a document refers to is in this repository. Every `docs/….md#heading`, `ADR nnn` and relative
 * link leads to a file and a heading, every document is on the map, and nobody cites a text that only its author has.
 */
import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { anchorsOf, type Document, lineAt, readDocuments, withoutCode } from './documents.ts';
import { asText, type Finding } from './finding.ts';

interface Book {
  root: string;
  documents: Document[];
  /** The anchors of each Markdown file. */
  anchors: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Documents that are, or were, outside the repository, with a number or a letter behind their names; and issues of a tracker. */
const outside = [
  /\b(?:contract|rulings?|reliability|ingest|spec|findings?|corpus|toolchain)(?:\.md)?\s+(?:[A-Z]{1,2}-?)?\d+(?:\.\d+)*\b/gi,
  /\b(?:house|scale|performance|features|peers|anchors)(?:\.md\s+\d+|\s+\d+\.\d+)\b/gi,
  /\bcorpus,\s+points?\s+\d/gi,
  /\b(?:the|reliability) study\b|\bspec "|\(spec\b,/gi,
  /\bissue\s+[A-Z]\b/g,
];

/** The leaders of comment lines become blanks, so that a citation that breaks over two lines is seen as one. */
const unled = (text: string): string => text.replace(/\n[ \t]*(?:\*(?!\/)|\/\/|#(?= ))/g, (leader) => leader.replace(/[^\n]/g, ' '));

function outsideCitations({ documents }: Book): Finding[] {
  return documents.flatMap(({ file, text }) => {
    const plain = file.endsWith('.md') ? text : unled(text);
    return outside.flatMap((form) =>
      [...plain.matchAll(form)].map(({ 0: cited, index }) => ({
        rule: 'citations-stay-inside',
        file: `${file}:${lineAt(text, index)}`,
        what: `cites '${cited.replace(/\s+/g, ' ')}', which is not in this repository`,
        instead: 'Say the reason in one sentence, or name a section of docs/reference or an ADR.',
      })),
    );
  });
}

/** Why a target does not exist; null when it does. @param path relative to the root */
function problemOf({ root, anchors }: Book, path: string, anchor: string): string | null {
  if (!existsSync(join(root, path))) return 'which does not exist';
  const known = anchors.get(path);
  return anchor === '' || known === undefined || known.has(anchor) ? null : 'whose heading does not exist';
}

function brokenMentions(book: Book): Finding[] {
  return book.documents.flatMap(({ file, text }) =>
    [...text.matchAll(/(?<![\w/.-])(docs\/[\w./-]*?\.md)(?:#([\w-]+))?/g)].flatMap(({ 0: said, 1: path = '', 2: anchor = '', index }) => {
      const problem = problemOf(book, path, anchor);
      return problem ? [broken(`${file}:${lineAt(text, index)}`, said, problem)] : [];
    }),
  );
}

function brokenLinks(book: Book): Finding[] {
  return book.documents
    .filter(({ file }) => file.endsWith('.md'))
    .flatMap(({ file, text }) =>
      [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)|(?:src|srcset|href)="([^"]+)"/g)].flatMap(({ 1: link, 2: address, index }) => {
        const target = link ?? address ?? '';
        if (/^[a-z]+:/.test(target)) return [];
        const [path = '', anchor = ''] = target.split('#');
        const problem = problemOf(book, path === '' ? file : posix.join(posix.dirname(file), path), anchor);
        return problem ? [broken(`${file}:${lineAt(text, index)}`, target, problem)] : [];
      }),
    );
}

const broken = (file: string, target: string, problem: string): Finding => ({
  rule: 'citations-resolve',
  file,
  what: `leads to ${target}, ${problem}`,
  instead: 'Name a file and a heading that are there; headings are lower case with hyphens.',
});

function brokenDecisions({ documents, anchors }: Book): Finding[] {
  const numbers = new Set([...anchors.keys()].flatMap((file) => /^docs\/adr\/(\d{3})-/.exec(file)?.[1] ?? []));
  return documents.flatMap(({ file, text }) =>
    [...unled(text).matchAll(/\bADRs?\s+(\d+)/g)]
      .filter(([, number = '']) => !numbers.has(number))
      .map(({ 1: number, index }) => broken(`${file}:${lineAt(text, index)}`, `ADR ${number}`, 'which is not in docs/adr')),
  );
}

/** A document that no list leads to is not found. The maps are those of the documents and of the decisions. */
function unmapped({ documents }: Book): Finding[] {
  const textOf = (file: string) => documents.find((each) => each.file === file)?.text ?? '';
  return documents.flatMap(({ file }) => {
    if (!/^docs\/.*\.md$/.test(file) || file === 'docs/README.md') return [];
    const isDecision = /^docs\/adr\/\d/.test(file);
    const map = isDecision ? 'docs/adr/README.md' : 'docs/README.md';
    const name = posix.relative(posix.dirname(map), file);
    if (textOf(map).includes(`](${name})`)) return [];
    return [{ rule: 'documents-are-on-the-map', file, what: `has no link in ${map}`, instead: 'Add a line that says what it is for.' }];
  });
}

const root = join(import.meta.dirname, '..');
const documents = readDocuments(root);
const markdown = documents.filter(({ file }) => file.endsWith('.md'));
const book: Book = { root, documents, anchors: new Map(markdown.map(({ file, text }) => [file, anchorsOf(text)])) };
const found = [outsideCitations, brokenMentions, brokenLinks, brokenDecisions, unmapped].flatMap((rule) => rule(book));

for (const one of found) process.stdout.write(`${asText(one)}\n`);
process.stdout.write(`${documents.length} documents, ${found.length} breaches\n`);
process.exitCode = found.length > 0 || documents.length === 0 ? 1 : 0;
