import { filterSchema } from '../../shared/filter/filter-schema.ts';
import { defineModule } from '../app/module.ts';

export const filterSchemaModule = defineModule({
  group: 'filterSchema',
  needs: [],
  build: () => ({ get: () => ({ data: { resources: filterSchema() } }) }),
});
