import { fail } from '../../app/fail.ts';
import { defineModule } from '../../app/module.ts';
import { addedTagsMax } from '../../telemetry/trace-tags.ts';

export const traceTagsModule = defineModule({
  group: 'traceTags',
  needs: ['telemetry'],
  build: ({ telemetry }) => ({
    find: async ({ scope }, { query }) => ({ data: (await telemetry.tags.find(scope, query.trace_ids)).decode() }),

    change: async ({ scope }, { body }) => {
      const { changed, full } = await telemetry.tags.change(scope, body);
      if (full.length > 0)
        fail('too_many_tags', `A trace can be given ${addedTagsMax} tags at most. With these, ${full.join(', ')} would have more`);
      return { data: { changed } };
    },
  }),
});
