import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { gateway } from '../../api/client.ts';

export type Provider = 'github' | 'gitlab';

/** Path parameters of an app. */
const at = (appId: string) => ({ params: { appId } });
const keyOf = (appId: string, ...rest: string[]) => ['git', appId, ...rest];

export const useConnection = (appId: string) =>
  useQuery({ queryKey: keyOf(appId), queryFn: async () => (await gateway.appGit.get(at(appId))).data, staleTime: 0 });

export const useRepositories = (appId: string, isEnabled: boolean) =>
  useQuery({
    queryKey: keyOf(appId, 'repositories'),
    queryFn: async () => (await gateway.appGit.repositories(at(appId))).data,
    enabled: isEnabled,
    staleTime: 0,
  });

export const useBranches = (appId: string, repository: string) =>
  useQuery({
    queryKey: keyOf(appId, 'branches', repository),
    queryFn: async () => (await gateway.appGit.branches({ ...at(appId), query: { repository } })).data,
    enabled: repository !== '',
    staleTime: 0,
  });

/** Redirects to the provider, which sends the browser back. */
export const useConnect = (appId: string) =>
  useMutation({
    networkMode: 'always',
    mutationFn: async (provider: Provider) => {
      const { data } = await gateway.appGit.connect({ ...at(appId), body: { provider } });
      window.location.assign(data.authorization_url);
    },
  });

export function useLink(appId: string) {
  const queries = useQueryClient();
  return useMutation({
    networkMode: 'always',
    mutationFn: (body: { repository: string; branch: string; deploy: boolean }) => gateway.appGit.link({ ...at(appId), body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: keyOf(appId) }),
  });
}

export function useUnlink(appId: string) {
  const queries = useQueryClient();
  return useMutation({
    networkMode: 'always',
    mutationFn: () => gateway.appGit.unlink(at(appId)),
    onSuccess: () => queries.invalidateQueries({ queryKey: keyOf(appId) }),
  });
}
