import { capabilitiesOf } from '../../app/capabilities.ts';
import { CompressedText } from '../../app/compressed.ts';
import { Answer, defineModule } from '../../app/module.ts';
import { describeApi, describeApiForClients } from '../../app/openapi.ts';
import { agentGuide } from '../../reference/agent-guide.ts';

/** Created on first use, which takes a tenth of a second. Documents of hosts differ in the server address only. */
function once<T>(make: () => T): () => T {
  let value: T | undefined;
  return () => {
    value ??= make();
    return value;
  };
}

const fullDocument = once(() => describeApi());
const clientDocument = once(() => describeApiForClients());

export const platformModule = defineModule({
  group: 'platform',
  needs: ['about'],
  build: ({ about }) => {
    const documents = new Map<string, CompressedText>();
    const describe = (url: string, isFull: boolean) => {
      const name = `${isFull} ${url}`;
      const document =
        documents.get(name) ?? new CompressedText(JSON.stringify({ ...(isFull ? fullDocument() : clientDocument()), servers: [{ url }] }));
      // The guard admits few hosts; the limit keeps the map small in any case.
      if (documents.size < 16) documents.set(name, document);
      return document;
    };
    return {
      health: () => ({ status: 'ok' as const }),
      capabilities: ({ baseUrl }) => capabilitiesOf(about, baseUrl),
      openapi: ({ baseUrl, request }, { query: { all } }) =>
        describe(baseUrl, all !== undefined).answer(request, 'application/json; charset=utf-8'),
      agentGuide: ({ baseUrl }) =>
        new Answer(200, new TextEncoder().encode(agentGuide(baseUrl)), { 'Content-Type': 'text/plain; charset=utf-8' }),
    };
  },
});

export const pricingModule = defineModule({
  group: 'pricing',
  needs: ['pricing'],
  build: ({ pricing }) => ({ list: () => pricing.publicTable() }),
});
