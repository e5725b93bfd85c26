import { TemplateSyntaxError } from '../project/mdx/template-syntax-error.ts';
import { fail } from './fail.ts';
import { tellDeath } from './overload.ts';
import { fromProject, type Wording } from './project-failure.ts';

export type TemplateTree = { type: 'root'; children: { type: string }[] };

/** Template as JSON; a syntax error becomes the answer, with its position. */
export async function treeOf(wording: Wording, read: () => Promise<string | null>): Promise<string | null> {
  try {
    return await fromProject(wording, read);
  } catch (error) {
    if (!(error instanceof TemplateSyntaxError)) return tellDeath(error);
    const { message, file, line, column } = error;
    const place = `${file === null ? '' : `${file}, `}line ${line}, column ${column}`;
    return fail('template_parse_error', `${message} (${place})`, { ...(file === null ? {} : { file }), line, column });
  }
}
