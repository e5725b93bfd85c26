import { capabilitiesOf } from '../app/capabilities.ts';
import { defineModule } from '../app/module.ts';
import { describeApi } from '../app/openapi.ts';

export const platformModule = defineModule({
  group: 'platform',
  needs: ['about'],
  build: ({ about }) => {
    const described = new Map<string, object>();
    const describe = (url: string) => {
      const known = described.get(url) ?? describeApi(url);
      // Hosts that pass the guard are few; still, nobody gets to fill a map.
      if (described.size < 16) described.set(url, known);
      return known as { openapi: string };
    };
    return {
      health: () => ({ status: 'ok' as const }),
      capabilities: ({ baseUrl }) => capabilitiesOf(about, baseUrl),
      openapi: ({ baseUrl }) => describe(baseUrl),
    };
  },
});
