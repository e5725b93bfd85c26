import { defineModule } from '../app/module.ts';

export const pricingModule = defineModule({
  group: 'pricing',
  needs: ['pricing'],
  build: ({ pricing }) => ({ list: () => pricing.publicTable() }),
});
