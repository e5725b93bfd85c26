/**
 * The tree of a template in the words of mdast and its MDX extension, as clients of the service read it. It is data: expressions and
 * imports stand in it as the text they are written in, and nothing here or later evaluates them.
 */
export interface TreeNode {
  type: string;
  children?: TreeNode[];
  value?: string;
  [field: string]: unknown;
}

export type Attribute =
  | { type: 'mdxJsxAttribute'; name: string; value: string | null | { type: 'mdxJsxAttributeValueExpression'; value: string } }
  | { type: 'mdxJsxExpressionAttribute'; value: string };

/** Deeper templates are refused: nobody writes them, and every level reads its content again. */
export const depthMax = 64;
