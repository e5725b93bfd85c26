import { useQuery } from '@tanstack/react-query';
import { gateway } from '../../api/client.ts';
import { useFollow } from '../../api/queries.ts';
import { type TemplateNode, viewTemplate } from '../../model/template-view.ts';

const always = () => true;
const latestMax = 10;

/** Files that somebody edits: every look asks again. */
export const usePrompts = () =>
  useQuery({
    queryKey: ['prompts', 'list'],
    queryFn: async () => (await gateway.prompts.list()).data.paths.map((path) => ({ id: path, path })),
    staleTime: 0,
  });

export const usePrompt = (path: string | undefined) =>
  useQuery({
    queryKey: ['prompts', 'one', path],
    enabled: path !== undefined,
    queryFn: async () => {
      const answer = await gateway.templates.get({ query: { path: path ?? '' } });
      if (Array.isArray(answer)) throw new Error(`${path} holds rows and is no template`);
      const tree = answer.data as TemplateNode;
      return { tree, view: viewTemplate(tree) };
    },
    staleTime: 0,
  });

/** The newest traces in which a call names the prompt. */
export function useTracesOf(name: string | null) {
  const queryKey = ['traces', 'of prompt', name];
  useFollow(queryKey, always);
  return useQuery({
    queryKey,
    enabled: name !== null,
    queryFn: async () => {
      const { data, pagination } = await gateway.traces.list({ query: { filter: promptFilter(name ?? ''), limit: latestMax } });
      return { rows: data, total: pagination.total };
    },
  });
}

export const promptFilter = (name: string) => `prompt_name = ${JSON.stringify(name)}`;
