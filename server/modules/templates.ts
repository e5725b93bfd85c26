import { fail } from '../app/fail.ts';
import { Answer, type Context, defineModule } from '../app/module.ts';
import { fromProject, type Wording } from '../app/project-failure.ts';
import { treeOf } from '../app/template-tree.ts';
import { readTemplate } from '../project/mdx/read-template.ts';

const wording: Wording = {
  field: 'path',
  illegal: 'invalid_query_params',
  unreadable: 'template_parse_error',
  tooLarge: 'payload_too_large',
};
const ndjson = 'application/x-ndjson';

export const templatesModule = defineModule({
  group: 'templates',
  needs: ['project'],
  build: ({ project }) => ({
    get: async ({ scope, request }, { query: { path, format } }) => {
      const read = (name: string) => project.text(scope, name);
      const isDataset = path.endsWith('.jsonl');
      const text = await fromProject(wording, async () => (await read(path)) ?? (isDataset ? read(oldPlaceOf(path)) : null));
      if (text === null) fail('template_not_found', `No template ${path}`);
      if (!isDataset) return { data: await treeOf(wording, async () => readTemplate(path, text, await project.commit(scope), read)) };
      const lines = text.split(/\r\n|\n|\r/).filter((line) => line.trim() !== '');
      if (format === 'json' || !acceptsLines(request)) return new Answer(200, rowsOf(lines, path));
      const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
      return new Answer(200, bytes, { 'Content-Type': `${ndjson}; charset=utf-8` });
    },
  }),
});

/** Older projects keep their datasets in one folder and name them by their last part. */
const oldPlaceOf = (path: string): string => `templates/${path.slice(path.lastIndexOf('/') + 1)}`;

const acceptsLines = ({ headers }: Context['request']): boolean => headers.accept?.toLowerCase().includes(ndjson) ?? false;

function rowsOf(lines: string[], path: string): unknown[] {
  return lines.map((line, index) => {
    try {
      return JSON.parse(line);
    } catch {
      return fail('internal_error', `Row ${index} of ${path} is not JSON: a dataset has one JSON object in each line`);
    }
  });
}
