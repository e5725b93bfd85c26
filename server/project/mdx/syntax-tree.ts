/**
 * A node of the tree of a template: mdast with MDX nodes, as remark-mdx makes it. It is data: expressions stand in it as the text they
 * are written in and as ESTree (`data.estree`), and nothing here or later evaluates them.
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

/** Whoever reads a tree does so recursively; nobody writes one deeper than this. */
export const depthMax = 200;

export const isElement = ({ type }: TreeNode): boolean => type === 'mdxJsxFlowElement' || type === 'mdxJsxTextElement';
/** '' for a fragment. */
export const nameOf = (element: TreeNode): string => String(element['name'] ?? '');
export const isExpression = ({ type }: TreeNode): boolean => type === 'mdxFlowExpression' || type === 'mdxTextExpression';
export const attributesOf = (element: TreeNode): readonly Attribute[] => (element['attributes'] ?? []) as Attribute[];
