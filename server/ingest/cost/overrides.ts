import { z } from 'zod';
import type { PriceOverrides } from './own-prices.ts';

const rate = z.number().nonnegative().max(1_000_000);
const modelName = z.string().trim().min(1).max(300);

/** `prices.json` in the data folder: the user's prices, in US dollars per million tokens, aliases of models, and their context windows. */
export const priceOverrides: z.ZodType<PriceOverrides> = z.strictObject({
  models: z
    .record(modelName, z.strictObject({ input: rate, output: rate, cache_read: rate.optional(), cache_write: rate.optional() }))
    .default({})
    .meta({ description: 'By model (`gpt-4o`) or by provider and model (`azure/gpt-4o`). Overrides every list.' }),
  aliases: z
    .record(modelName, modelName)
    .default({})
    .meta({ description: 'Another name (an Azure deployment, a router) to the model that it stands for.' }),
  context_windows: z
    .record(modelName, z.int().positive().max(1_000_000_000))
    .default({})
    .meta({ description: 'Tokens that a prompt and its answer may have together, by model or by provider and model.' }),
});
