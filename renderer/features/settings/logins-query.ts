import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { gateway } from '../../api/client.ts';

export type { Login } from '../../../shared/contract/identity/logins.ts';

export const loginsKey = ['logins'];

export const useLogins = () => useQuery({ queryKey: loginsKey, queryFn: async () => (await gateway.auth.logins()).data, staleTime: 0 });

/** Ends one login, or with null all but the one of this browser. */
export function useEndLogins() {
  const queries = useQueryClient();
  return useMutation({
    networkMode: 'always',
    mutationFn: async (loginId: string | null) => {
      await (loginId === null ? gateway.auth.endOtherLogins() : gateway.auth.endLogin({ params: { loginId } }));
    },
    onSettled: () => queries.invalidateQueries({ queryKey: loginsKey }),
  });
}
