import { useQuery } from '@tanstack/react-query';
import { gateway } from './client.ts';
import { useMay } from './identity.ts';
import { useServed } from './served.ts';

const listMax = 1000;

export interface EnvironmentName {
  name: string;
  isDefault: boolean;
}

/** Selectable environments; undefined while loading, and on a local gateway, which has none. */
export function useEnvironmentNames(): readonly EnvironmentName[] | undefined {
  const isServed = useServed();
  const may = useMay();
  const { data } = useQuery({
    queryKey: ['environments', 'names'],
    enabled: isServed('environments') && may('environment.read'),
    queryFn: async () => (await gateway.environments.list({ query: { limit: listMax } })).data,
    staleTime: 15_000,
  });
  return data?.map(({ name, is_default }) => ({ name, isDefault: is_default }));
}
