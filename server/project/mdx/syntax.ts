/** MDX as text and as tree. What is MDX and what is not is for remark to say, not for us. */
import { type Options, toMarkdown } from 'mdast-util-to-markdown';
import remarkFrontmatter from 'remark-frontmatter';
import remarkMdx from 'remark-mdx';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { depthMax, type TreeNode } from './syntax-tree.ts';
import { TemplateSyntaxError } from './template-syntax-error.ts';

const processor = unified().use(remarkParse).use(remarkMdx).use(remarkFrontmatter).freeze();

/** A template with the places of its nodes. @throws TemplateSyntaxError */
export function parseMdx(text: string): TreeNode {
  try {
    return processor.parse(text) as unknown as TreeNode;
  } catch (error) {
    throw faultOf(error);
  }
}

/** How remark-mdx and remark-frontmatter write what is theirs. */
const { toMarkdownExtensions: extensions = [] } = processor.data() as { toMarkdownExtensions?: Options[] };

export const mdxOf = (tree: TreeNode): string => toMarkdown(tree as unknown as Parameters<typeof toMarkdown>[0], { extensions });

/** A tree that can be JSON, in which ESTree has no places. @throws TemplateSyntaxError when it is deeper than a tree may be */
export function plain(node: TreeNode, depth = 0): TreeNode {
  if (depth > depthMax) throw new TemplateSyntaxError(`Nothing may be nested deeper than ${depthMax} levels`, startOf(node));
  const { children, ...fields } = node;
  const bare = without(fields, nothing) as TreeNode;
  return children ? { ...bare, children: children.map((child) => plain(child, depth + 1)) } : bare;
}

export const startOf = (node: TreeNode): { line: number; column: number } =>
  (node['position'] as { start: { line: number; column: number } } | undefined)?.start ?? { line: 1, column: 1 };

const nothing = new Set<string>();
const placesInEstree = new Set(['start', 'end', 'loc', 'range']);

/** Numbers without end and regular expressions, which are values in ESTree, are null there. */
function without(value: unknown, dropped: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((each) => without(each, dropped));
  if (typeof value === 'bigint' || value instanceof RegExp) return null;
  if (typeof value !== 'object' || value === null) return value;
  const kept: Record<string, unknown> = {};
  for (const [key, each] of Object.entries(value))
    if (!dropped.has(key)) kept[key] = without(each, key === 'estree' ? placesInEstree : dropped);
  return kept;
}

/** What remark and the parser of expressions throw, which is a VFileMessage unless the stack is too small for what they read. */
function faultOf(error: unknown): TemplateSyntaxError {
  if (error instanceof RangeError) return new TemplateSyntaxError('The template is nested too deeply to be read', { line: 1, column: 1 });
  const { reason, message, line, column } = error as { reason?: string; message: string; line?: number; column?: number };
  const said = reason ?? message;
  // A tag that is open at the end of the text: its place is in the words only.
  const [, saidLine, saidColumn] = /\((\d+):(\d+)[-)]/.exec(said) ?? [];
  return new TemplateSyntaxError(said, { line: line ?? Number(saidLine ?? 1), column: column ?? Number(saidColumn ?? 1) });
}
