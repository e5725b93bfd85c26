import { capabilitiesOf } from '../app/capabilities.ts';
import { CompressedText } from '../app/compressed.ts';
import { defineModule } from '../app/module.ts';
import { describeApi, describeApiForClients } from '../app/openapi.ts';

export const platformModule = defineModule({
  group: 'platform',
  needs: ['about'],
  build: ({ about }) => {
    const described = new Map<string, CompressedText>();
    const describe = (url: string, isWhole: boolean) => {
      const name = `${isWhole} ${url}`;
      const known = described.get(name) ?? new CompressedText(JSON.stringify(isWhole ? describeApi(url) : describeApiForClients(url)));
      // Hosts that pass the guard are few; still, nobody gets to fill a map.
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
