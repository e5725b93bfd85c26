/**
 * A node of the tree of a template: mdast with MDX nodes, as remark-mdx produces it. It is data: expressions are kept as source text and
 * as ESTree (`data.estree`), and nothing here or later evaluates them.
 */
export interface TreeNode {
  type: string;
  children?: TreeNode[];
  value?: unknown;
  [field: string]: unknown;
}

export interface Attribute {
  /** `mdxJsxAttribute`, or `mdxJsxExpressionAttribute` for `{...spread}`, which has no name. */
  type: string;
  name: string;
  value: string | null | { value: string };
}

/** Maximum depth of a tree, because trees are processed recursively. */
export const depthMax = 200;

export const isElement = ({ type }: TreeNode): boolean => type === 'mdxJsxFlowElement' || type === 'mdxJsxTextElement';
/** '' for a fragment. */
export const nameOf = (element: TreeNode): string => String(element['name'] ?? '');
export const isExpression = ({ type }: TreeNode): boolean => type === 'mdxFlowExpression' || type === 'mdxTextExpression';
export const attributesOf = (element: TreeNode): readonly Attribute[] => (element['attributes'] ?? []) as Attribute[];
