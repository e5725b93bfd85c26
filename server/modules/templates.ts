import { fail } from '../app/fail.ts';
import { Answer, type Context, defineModule } from '../app/module.ts';
import { fromProject, type Wording } from '../app/project-failure.ts';
import { parseMdx } from '../project/mdx/parse-mdx.ts';
import { TemplateSyntaxError } from '../project/mdx/template-syntax-error.ts';

const wording: Wording = {
  field: 'path',
  illegal: 'invalid_query_params',
  unreadable: 'template_parse_error',
  tooLarge: 'payload_too_large',
};
const ndjson = 'application/x-ndjson';

type Tree = { type: 'root'; children: { type: string }[] };

export const templatesModule = defineModule({
  group: 'templates',
  needs: ['project'],
  build: ({ project }) => ({
    get: async ({ scope, request }, { query: { path, format } }) => {
      const read = (name: string) => fromProject(wording, () => project.text(scope, name));
      const isDataset = path.endsWith('.jsonl');
      // Older projects keep their datasets in one folder and name them by their last part.
      const text = (await read(path)) ?? (isDataset ? await read(`templates/${path.slice(path.lastIndexOf('/') + 1)}`) : null);
      if (text === null) fail('template_not_found', `No template ${path}`);
      if (!isDataset) {
        const config = await project.config(scope).catch(() => null);
        return { data: treeOf(text, config?.commit_sha ?? null) };
      }
      const lines = text.split(/\r\n|\n|\r/).filter((line) => line.trim() !== '');
      if (format === 'json' || !acceptsLines(request)) return new Answer(200, rowsOf(lines, path));
      const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
      return new Answer(200, bytes, { 'Content-Type': `${ndjson}; charset=utf-8` });
    },
  }),
});

const acceptsLines = ({ headers }: Context['request']): boolean => headers.accept?.toLowerCase().includes(ndjson) ?? false;

function treeOf(text: string, commit_sha: string | null): Tree {
  try {
    return parseMdx(text, commit_sha) as unknown as Tree;
  } catch (error) {
    if (!(error instanceof TemplateSyntaxError)) throw error;
    return fail('template_parse_error', `${error.message} (line ${error.line}, column ${error.column})`, {
      line: error.line,
      column: error.column,
    });
  }
}

function rowsOf(lines: string[], path: string): unknown[] {
  return lines.map((line, index) => {
    try {
      return JSON.parse(line);
    } catch {
      return fail('internal_error', `Row ${index} of ${path} is not JSON: a dataset has one JSON object in each line`);
    }
  });
}
