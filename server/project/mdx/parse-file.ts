/** Parses one file of a template into its content and its imports. */
import { parseMdx, plain, startOf } from './syntax.ts';
import { isExpression, type TreeNode } from './syntax-tree.ts';
import { TemplateSyntaxError } from './template-syntax-error.ts';

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
