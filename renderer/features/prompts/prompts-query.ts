import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import type { Reply } from '../../../shared/contract/core/route.ts';
import type { Contract } from '../../../shared/contract/index.ts';
import { gateway } from '../../api/client.ts';
import { isNotFound } from '../../api/failure.ts';
import { useFollow } from '../../api/queries.ts';
import { type TemplateNode, viewTemplate } from '../../model/text/template-view.ts';

const always = () => true;
const latestMax = 10;
const versionsMax = 200;
const experimentsMax = 5;

type Listing = Reply<Contract['viewerPrompts']['list']>['data'];
export type PromptSource = Listing['source'];
export type ListedPrompt = Listing['prompts'][number] & { id: string };
export type PromptVersion = Reply<Contract['viewerPrompts']['versions']>['data'][number];

/** Query parameter for the selected environment. */
const inEnvironment = (environment: string | undefined) => (environment === undefined ? {} : { environment });

/** An open page follows the files of a folder while somebody edits them; an environment changes only by deployments. */
const editsMs = 2000;
const followEdits = (environment: string | undefined) => (environment === undefined ? { refetchInterval: editsMs } : {});

/** Files change by edits and deployments, so every visit fetches again. */
export const usePrompts = (environment: string | undefined) =>
  useQuery({
    queryKey: ['prompts', 'list', environment],
    queryFn: async () => {
      const { source, prompts } = (await gateway.viewerPrompts.list({ query: inEnvironment(environment) })).data;
      return { source, prompts: prompts.map((prompt): ListedPrompt => ({ ...prompt, id: prompt.path })) };
    },
    staleTime: 0,
    refetchOnWindowFocus: true,
    ...followEdits(environment),
  });

export const usePrompt = (path: string, environment: string | undefined) =>
  useQuery({
    queryKey: ['prompts', 'one', path, environment],
    queryFn: async () => {
      const { data } = await gateway.viewerPrompts.tree({ query: { path, ...inEnvironment(environment) } });
      const tree = data as TemplateNode;
      return { tree, view: viewTemplate(tree) };
    },
    staleTime: 0,
    ...followEdits(environment),
  });

/** Source of a prompt, optionally of one deployment. Null where it does not exist. */
export const usePromptText = (path: string, environment: string | undefined, deployment_id?: string | undefined) =>
  useQuery({
    queryKey: ['prompts', 'text', path, environment, deployment_id],
    queryFn: async () => {
      const query = { path, ...inEnvironment(environment), ...(deployment_id === undefined ? {} : { deployment_id }) };
      try {
        return (await gateway.viewerPrompts.text({ query })).data.text;
      } catch (error) {
        // A deployment that removed the prompt does not have its text.
        if (deployment_id !== undefined && isNotFound(error)) return null;
        throw error;
      }
    },
    // Deployed files never change.
    staleTime: deployment_id === undefined ? 0 : Number.POSITIVE_INFINITY,
    ...(deployment_id === undefined ? followEdits(environment) : {}),
  });

/** Newest first. */
export const useVersions = (path: string, environment: string | undefined) =>
  useQuery({
    queryKey: ['prompts', 'versions', path, environment],
    queryFn: () => gateway.viewerPrompts.versions({ query: { path, limit: versionsMax, ...inEnvironment(environment) } }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });

/** Newest traces in which a call refers to the prompt. */
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

/** Newest experiments that ran the prompt. */
export const useExperimentsOf = (name: string | null) =>
  useQuery({
    queryKey: ['experiments', 'of prompt', name],
    enabled: name !== null,
    queryFn: () => gateway.experiments.list({ query: { prompt_name: name ?? '', limit: experimentsMax } }),
    staleTime: 0,
  });

/** When a version was deployed, and when the next one was; null while it is the latest. In milliseconds since the epoch. */
export interface WhileDeployed {
  from: number;
  to: number | null;
}

const runsMax = 100;

/** The newest traces that used a prompt while each version was deployed. */
export const useRunsWhile = (times: readonly WhileDeployed[], name: string, environment: string | undefined) =>
  useQueries({
    queries: times.map(({ from, to }) => ({
      queryKey: ['prompts', 'runs', name, environment, from, to],
      queryFn: async () => {
        const range = to === null ? { from } : { from, to };
        const query = { filter: promptFilter(name), ...inEnvironment(environment), ...range, limit: runsMax };
        const { rows, total } = (await gateway.traceList.rows({ query })).data;
        return { rows, total };
      },
      staleTime: 15_000,
    })),
  });

export const promptFilter = (name: string) => `prompt_name = ${JSON.stringify(name)}`;
