import { capabilitiesOf } from '../../app/capabilities.ts';
import { CompressedText } from '../../app/compressed.ts';
import { defineModule } from '../../app/module.ts';
import { describeApi, describeApiForClients } from '../../app/openapi.ts';

/** Created on first use, which takes a tenth of a second. Documents of hosts differ in the server address only. */
function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

const whole = once(() => describeApi());
const forClients = once(() => describeApiForClients());

export const platformModule = defineModule({
  group: 'platform',
  needs: ['about'],
  build: ({ about }) => {
    const described = new Map<string, CompressedText>();
    const describe = (url: string, isWhole: boolean) => {
      const name = `${isWhole} ${url}`;
      const known =
        described.get(name) ?? new CompressedText(JSON.stringify({ ...(isWhole ? whole() : forClients()), servers: [{ url }] }));
      // The guard admits few hosts; the limit keeps the map small in any case.
      if (described.size < 16) described.set(name, known);
      return known;
    };
    return {
      health: () => ({ status: 'ok' as const }),
      capabilities: ({ baseUrl }) => capabilitiesOf(about, baseUrl),
      openapi: ({ baseUrl, request }, { query: { all } }) =>
        describe(baseUrl, all !== undefined).answer(request, 'application/json; charset=utf-8'),
    };
  },
});

export const pricingModule = defineModule({
  group: 'pricing',
  needs: ['pricing'],
  build: ({ pricing }) => ({ list: () => pricing.publicTable() }),
});
