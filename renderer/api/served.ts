import { useQuery } from '@tanstack/react-query';
import { gateway } from './client.ts';

/** Whether this gateway has a group of routes at all, by its published key: what is the cloud's alone is not asked of a local one. */
export const useServed = (): ((key: string) => boolean) => {
  const { data } = useQuery({ queryKey: ['capabilities'], queryFn: () => gateway.platform.capabilities() });
  return (key) => data?.endpoints[key] === true;
};
