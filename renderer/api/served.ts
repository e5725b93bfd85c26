/** What this gateway tells about itself. */
import { useQuery } from '@tanstack/react-query';
import { gateway } from './client.ts';

const useCapabilities = () => useQuery({ queryKey: ['capabilities'], queryFn: () => gateway.platform.capabilities() });

/** Whether this gateway serves a group of routes, by its capability key. */
export const useServed = (): ((key: string) => boolean) => {
  const { data } = useCapabilities();
  return (key) => data?.endpoints[key] === true;
};

/** Host of the identity provider that people sign in with; undefined without one. */
export const useSignInProvider = (): string | undefined => useCapabilities().data?.sign_in_provider;
