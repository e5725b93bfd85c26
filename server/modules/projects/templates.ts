import { fail } from '../../app/fail.ts';
import { Answer, type Context, defineModule } from '../../app/module.ts';
import { failForDeadThread } from '../../app/overload.ts';
import { fromProject, type TemplateTree, treeOf, type Wording } from '../../app/project-failure.ts';
import type { RowForm } from '../../project/dataset-rows.ts';
import { filesOf } from '../../project/mdx/template-reader.ts';
import { invalidFile } from '../../project/project-error.ts';
import { Encoded } from '../../telemetry/encoded.ts';

const wording: Wording = {
  field: 'path',
  illegal: 'invalid_query_params',
  unreadable: 'template_parse_error',
  tooLarge: 'payload_too_large',
};
const ndjson = 'application/x-ndjson';
const types: Record<RowForm, string> = { array: 'application/json; charset=utf-8', lines: `${ndjson}; charset=utf-8` };

export const templatesModule = defineModule({
  group: 'templates',
  needs: ['project', 'rows', 'templates'],
  build: ({ project, rows, templates }) => ({
    get: async ({ scope, request }, { query: { path, promptKind, format } }) => {
      const missing = () => fail('template_not_found', `No template ${path}`);
      if (path.endsWith('.jsonl')) {
        const read = (name: string) => project.dataset(scope, name);
        const file = (await fromProject(wording, async () => (await read(path)) ?? (await read(legacyPathOf(path))))) ?? missing();
        const form = format === 'json' || !acceptsLines(request) ? 'array' : 'lines';
        const found = await rows.read(scope, file, form).catch(failForDeadThread);
        if ('line' in found) return fromProject(wording, () => Promise.reject(invalidFile({ path, ...found })));
        return new Answer(200, found.bytes, { 'Content-Type': types[form] });
      }
      const json = (await treeOf(wording, () => templates.read(scope, filesOf(project, scope), path, promptKind))) ?? missing();
      return { data: new Encoded<TemplateTree>(new TextEncoder().encode(json)) };
    },
  }),
});

/** Older projects keep their datasets in one folder and name them by their last part. */
const legacyPathOf = (path: string): string => `templates/${path.slice(path.lastIndexOf('/') + 1)}`;

const acceptsLines = ({ headers }: Context['request']): boolean => headers.accept?.toLowerCase().includes(ndjson) ?? false;
