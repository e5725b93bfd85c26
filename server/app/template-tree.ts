import type { TreeNode } from '../project/mdx/syntax-tree.ts';
import { TemplateSyntaxError } from '../project/mdx/template-syntax-error.ts';
import { fail } from './fail.ts';
import { fromProject, type Wording } from './project-failure.ts';

export type TemplateTree = { type: 'root'; children: { type: string }[] };

/** What reads a template; what is wrong with its text becomes the answer that says where. */
export async function treeOf(wording: Wording, read: () => Promise<TreeNode>): Promise<TemplateTree> {
  try {
    return (await fromProject(wording, read)) as TemplateTree;
  } catch (error) {
    if (!(error instanceof TemplateSyntaxError)) throw error;
    const { message, file, line, column } = error;
    const place = `${file === null ? '' : `${file}, `}line ${line}, column ${column}`;
    return fail('template_parse_error', `${message} (${place})`, { ...(file === null ? {} : { file }), line, column });
  }
}
