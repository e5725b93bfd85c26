/**
 * The imports of all files. Vite's parser (Oxc) reads the files, so a specifier in a comment or a string does not count and
 * `import type` does. Computed specifiers are not found.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { parseSync } from 'vite';

export interface Import {
  from: string;
  /** As written. */
  specifier: string;
  /** A file of this tree, relative to the root; otherwise the package or builtin as written. */
  to: string;
  isOurs: boolean;
  /** The imported names of a static import; empty for the other forms. */
  names: string[];
  /** Whether loading `from` loads `to`: not for types, nor for URLs such as that of a worker. */
  isLoaded: boolean;
  /** Referred to by URL: a worker, or a data file. */
  isAddress: boolean;
}

type Reference = Pick<Import, 'specifier' | 'names' | 'isLoaded' | 'isAddress'>;

/** The parts of a syntax tree node that are used here. */
interface Node {
  type: string;
  [field: string]: unknown;
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;

const literal = (value: unknown): string | undefined => {
  if (!isNode(value)) return undefined;
  if (value.type === 'Literal' && typeof value['value'] === 'string') return value['value'];
  const quasis = value.type === 'TemplateLiteral' ? (value['quasis'] as { value: { cooked: string } }[]) : [];
  return quasis.length === 1 ? quasis[0]?.value.cooked : undefined;
};

const calls = (node: Node, name: string) => isNode(node['callee']) && node['callee']['name'] === name;
const first = (node: Node) => literal((node['arguments'] as unknown[])[0]);

/** `new URL('./worker.ts', import.meta.url)` refers to a worker thread or a data file. */
function address(node: Node): string | undefined {
  const base = (node['arguments'] as unknown[])[1];
  return calls(node, 'URL') && isNode(base) && isNode(base['object']) && base['object'].type === 'MetaProperty' ? first(node) : undefined;
}

const forms: Record<string, (node: Node) => string | undefined> = {
  ImportDeclaration: (node) => literal(node['source']),
  ExportNamedDeclaration: (node) => literal(node['source']),
  ExportAllDeclaration: (node) => literal(node['source']),
  ImportExpression: (node) => literal(node['source']),
  TSImportType: (node) => literal(node['source']),
  CallExpression: (node) => (calls(node, 'require') ? first(node) : undefined),
  NewExpression: address,
};

const importedNames = (node: Node): string[] =>
  node.type === 'ImportDeclaration'
    ? (node['specifiers'] as { imported?: { name?: string } }[]).flatMap(({ imported }) => imported?.name ?? [])
    : [];

const isLoaded = (node: Node): boolean =>
  node.type !== 'TSImportType' && node.type !== 'NewExpression' && node['importKind'] !== 'type' && node['exportKind'] !== 'type';

function collect(value: unknown, references: Reference[]): void {
  if (Array.isArray(value)) for (const item of value) collect(item, references);
  if (!isNode(value)) return;
  const specifier = forms[value.type]?.(value);
  const isAddress = value.type === 'NewExpression';
  if (specifier !== undefined) references.push({ specifier, names: importedNames(value), isLoaded: isLoaded(value), isAddress });
  for (const field of Object.values(value)) if (typeof field === 'object') collect(field, references);
}

function referencesIn(file: string, code: string): Reference[] {
  const references: Reference[] = [];
  const { program, errors } = parseSync(file, code);
  if (errors.length === 0) collect(program, references); // Syntax errors are left to the compiler.
  return references;
}

const endings = ['', '.ts', '.tsx', '/index.ts', '/index.tsx'];

function resolved(root: string, from: string, specifier: string): string {
  const path = posix.join(posix.dirname(from), specifier.replace(/\?.*$/, ''));
  const ending = endings.find((end) => existsSync(join(root, path + end)) && (end !== '' || /\.\w+$/.test(path)));
  return path + (ending ?? '');
}

/** Every import of the given files of a tree. */
export const importsOf = (root: string, files: string[]): Import[] =>
  files.flatMap((from) =>
    referencesIn(from, readFileSync(join(root, from), 'utf8')).map(({ specifier, ...rest }) => {
      const isOurs = specifier.startsWith('.');
      return { from, specifier, ...rest, isOurs, to: isOurs ? resolved(root, from, specifier) : specifier };
    }),
  );
