import { z } from 'zod';
import { route } from './route.ts';

const perThousandTokens = z.number().nonnegative();

export const publicPrice = z
  .object({
    promptPrice: perThousandTokens,
    completionPrice: perThousandTokens,
    cacheReadPrice: perThousandTokens.optional().meta({ description: 'Prompt tokens read from the cache. Additive.' }),
    cacheWritePrice: perThousandTokens.optional().meta({ description: 'Prompt tokens written to the cache. Additive.' }),
    reasoningPrice: perThousandTokens.optional().meta({ description: 'Reasoning tokens, where they are billed apart. Additive.' }),
  })
  .meta({ id: 'ModelPrice', description: 'US dollars per 1000 tokens.' });
export type PublicPrice = z.output<typeof publicPrice>;

export const priceList = z
  .record(z.string(), publicPrice)
  .meta({ id: 'PriceList', description: 'Priced models only, by model or by provider and model. Without an envelope.' });
export type PriceList = z.output<typeof priceList>;

export const pricing = {
  list: route({
    id: 'get-pricing',
    method: 'GET',
    path: '/v1/pricing',
    summary: 'Read what models cost',
    tag: 'platform',
    permission: 'public',
    reply: priceList,
    errors: [],
    cache: 'public, max-age=86400',
  }),
};
