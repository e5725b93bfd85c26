import { fail } from '../../app/fail.ts';
import { Answer, asPage, defineModule } from '../../app/module.ts';

export const commentsModule = defineModule({
  group: 'comments',
  needs: ['control'],
  build: ({ control: { comments } }) => ({
    list: async ({ scope }, { query }) => asPage(query, await comments.list(scope, query)),

    create: async ({ scope, principal }, { body }) => ({ data: await comments.create(principal.actor, scope, body) }),

    get: async ({ scope }, { params: { commentId } }) => ({ data: (await comments.find(scope, commentId)) ?? missing(commentId) }),

    remove: async ({ scope, principal }, { params: { commentId } }) => {
      const mayDeleteAll = principal.may('comment.delete');
      const isRemoved = await comments.remove(principal.actor, scope, commentId, !mayDeleteAll);
      if (isRemoved) return new Answer(204, undefined);
      // Callers who may delete only their own comments cannot tell foreign from missing ones.
      return mayDeleteAll ? missing(commentId) : fail('forbidden', 'This needs the permission comment.delete', permission);
    },
  }),
});

const permission = { required_permission: 'comment.delete' };

const missing = (id: string): never => fail('comment_not_found', `No comment ${id}`);
