/** Parses the files of a template and writes MDX, with remark, which alone decides what is valid MDX. */
import { type Options, toMarkdown } from 'mdast-util-to-markdown';
import remarkFrontmatter from 'remark-frontmatter';
import remarkMdx from 'remark-mdx';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { depthMax, isExpression, type TreeNode } from './syntax-tree.ts';
import { TemplateSyntaxError } from './template-syntax-error.ts';

const processor = unified().use(remarkParse).use(remarkMdx).use(remarkFrontmatter).freeze();

/** The tree of a template with the positions of its nodes. @throws TemplateSyntaxError */
export function parseMdx(text: string): TreeNode {
  try {
    return processor.parse(text) as unknown as TreeNode;
  } catch (error) {
    throw syntaxErrorOf(error);
  }
}

/** How remark-mdx and remark-frontmatter write their nodes. */
const { toMarkdownExtensions: extensions = [] } = processor.data() as { toMarkdownExtensions?: Options[] };

export const mdxOf = (tree: TreeNode): string => toMarkdown(tree as unknown as Parameters<typeof toMarkdown>[0], { extensions });

/** A tree that can be written as JSON, in which ESTree has no positions. @throws TemplateSyntaxError when it is nested too deeply */
export function plain(node: TreeNode, depth = 0): TreeNode {
  if (depth > depthMax) throw new TemplateSyntaxError(`The template is nested deeper than ${depthMax} levels`, startOf(node));
  const { children, ...fields } = node;
  const bare = without(fields, nothing) as TreeNode;
  return children ? { ...bare, children: children.map((child) => plain(child, depth + 1)) } : bare;
}

export const startOf = (node: TreeNode): { line: number; column: number } =>
  (node['position'] as { start: { line: number; column: number } } | undefined)?.start ?? { line: 1, column: 1 };

const nothing = new Set<string>();
const positionKeys = new Set(['start', 'end', 'loc', 'range']);

/** Big integers and regular expressions, which can be values in ESTree, become null. */
function without(value: unknown, dropped: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((item) => without(item, dropped));
  if (typeof value === 'bigint' || value instanceof RegExp) return null;
  if (typeof value !== 'object' || value === null) return value;
  const result: Record<string, unknown> = {};
  for (const [key, field] of Object.entries(value))
    if (!dropped.has(key)) result[key] = without(field, key === 'estree' ? positionKeys : dropped);
  return result;
}

/** Converts an error of remark or its expression parser, which is a VFileMessage unless the stack overflowed. */
function syntaxErrorOf(error: unknown): TemplateSyntaxError {
  if (error instanceof RangeError) return new TemplateSyntaxError('The template is nested too deeply', { line: 1, column: 1 });
  const { reason, message, line, column } = error as { reason?: string; message: string; line?: number; column?: number };
  const text = reason ?? message;
  // For a tag that is still open at the end of the text, the position is only in the message.
  const [, textLine, textColumn] = /\((\d+):(\d+)[-)]/.exec(text) ?? [];
  return new TemplateSyntaxError(text, { line: line ?? Number(textLine ?? 1), column: column ?? Number(textColumn ?? 1) });
}

export interface ParsedFile {
  /** Without comments and imports. */
  nodes: readonly TreeNode[];
  imports: readonly Import[];
}

interface Import {
  name: string;
  from: string;
  /** Position of the path. */
  location: { line: number; column: number };
}

/** @throws TemplateSyntaxError */
export function parseFile(text: string): ParsedFile {
  const root = withoutComments(parseMdx(text));
  const imports = new Map<string, Import>();
  for (const node of codeIn(root)) for (const found of importsIn(node)) imports.set(found.name, found);
  const nodes = (root.children ?? []).filter(({ type }) => type !== 'mdxjsEsm');
  return { nodes: nodes.map((node) => plain(node)), imports: [...imports.values()] };
}

function withoutComments(node: TreeNode): TreeNode {
  if (!node.children) return node;
  return { ...node, children: node.children.filter((child) => !isComment(child)).map(withoutComments) };
}

function isComment(node: TreeNode): boolean {
  if (!isExpression(node)) return false;
  const code = String(node.value).trim();
  return code.startsWith('//') || (code.startsWith('/*') && code.endsWith('*/'));
}

/** Blocks of imports and exports, which may also be between the tags of an element. */
function codeIn(node: TreeNode): TreeNode[] {
  return node.type === 'mdxjsEsm' ? [node] : (node.children ?? []).flatMap(codeIn);
}

interface Statement {
  type: string;
  specifiers: { type: string; local: { name: string } }[];
  source: { value: string; loc?: { start: { line: number; column: number } } };
}

function importsIn(node: TreeNode): Import[] {
  const { estree } = node['data'] as { estree: { body: Statement[] } };
  return estree.body.map(({ type, specifiers, source }) => {
    if (type !== 'ImportDeclaration') throw new TemplateSyntaxError('A template cannot export', startOf(node));
    const [specifier] = specifiers;
    if (!specifier || specifiers.length > 1 || specifier.type !== 'ImportDefaultSpecifier')
      throw new TemplateSyntaxError("An import must have the form `import Name from 'file.mdx'`", startOf(node));
    const { line, column } = source.loc?.start ?? { line: startOf(node).line, column: 0 };
    return { name: specifier.local.name, from: source.value, location: { line, column: column + 1 } };
  });
}
