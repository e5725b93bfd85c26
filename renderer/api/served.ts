import { useQuery } from '@tanstack/react-query';
import { gateway } from './client.ts';

/** Whether this gateway serves a group of routes, by its capability key. */
export const useServed = (): ((key: string) => boolean) => {
  const { data } = useQuery({ queryKey: ['capabilities'], queryFn: () => gateway.platform.capabilities() });
  return (key) => data?.endpoints[key] === true;
};
