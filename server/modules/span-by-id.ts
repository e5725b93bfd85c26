import { fail } from '../app/fail.ts';
import { defineModule } from '../app/module.ts';

export const spanByIdModule = defineModule({
  group: 'spanById',
  needs: ['search'],
  build: ({ search }) => ({
    get: async ({ scope }, { params: { spanId } }) => ({
      data: (await search.span(scope, spanId)) ?? fail('span_not_found', `No span ${spanId}`),
    }),
  }),
});
