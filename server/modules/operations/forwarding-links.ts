import { fail } from '../../app/fail.ts';
import { Answer, defineModule } from '../../app/module.ts';
import { LinkError } from '../../forwarding/link/link-error.ts';

export const forwardingLinksModule = defineModule({
  group: 'forwardingLinks',
  needs: ['links'],
  build: ({ links }) => ({
    start: async (_, { body }) => {
      try {
        return new Answer(201, { data: await links.start(body) });
      } catch (error) {
        if (!(error instanceof LinkError)) throw error;
        return fail('invalid_request_body', 'Invalid request body', { details: { url: error.message } });
      }
    },

    get: (_, { params: { linkId } }) => ({ data: links.find(linkId) ?? missing(linkId) }),

    cancel: (_, { params: { linkId } }) => {
      if (!links.cancel(linkId)) missing(linkId);
      return new Answer(204, undefined);
    },
  }),
});

const missing = (id: string): never => fail('link_not_found', `There is no link ${id}`);
