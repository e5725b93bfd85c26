import { useQuery } from '@tanstack/react-query';
import type { Reply } from '../../../shared/contract/core/route.ts';
import type { Contract } from '../../../shared/contract/index.ts';
import { gateway } from '../../api/client.ts';

export type FileChange = Reply<Contract['viewerReleases']['changes']>['data'][number];

const deploymentQuery = (deploymentId: string | null) => (deploymentId === null ? {} : { deployment_id: deploymentId });

/** Always fetched again, because both environments may have changed. */
export const useReleaseChanges = (id: string, deploymentId: string | null) =>
  useQuery({
    queryKey: ['environments', id, 'changes', deploymentId],
    queryFn: async () => (await gateway.viewerReleases.changes({ params: { id }, query: deploymentQuery(deploymentId) })).data,
    staleTime: 0,
  });

export const useReleaseFile = (id: string, deploymentId: string | null, path: string) =>
  useQuery({
    queryKey: ['environments', id, 'changes', deploymentId, path],
    queryFn: async () => (await gateway.viewerReleases.file({ params: { id }, query: { ...deploymentQuery(deploymentId), path } })).data,
    staleTime: 0,
  });
