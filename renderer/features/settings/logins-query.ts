import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { GatewayError } from '../../../shared/client.ts';
import { gateway } from '../../api/client.ts';

export type { Login } from '../../../shared/contract/identity/logins.ts';

export const loginsKey = ['logins'];

export const useLogins = () => useQuery({ queryKey: loginsKey, queryFn: async () => (await gateway.auth.logins()).data, staleTime: 0 });

/** It may have ended by itself, or from another browser. */
function unlessEnded(error: unknown): void {
  if (!(error instanceof GatewayError && error.code === 'login_not_found')) throw error;
}

/** Ends one login, or with null all but the one of this browser. */
export function useEndLogins() {
  const queries = useQueryClient();
  return useMutation({
    networkMode: 'always',
    mutationFn: async (loginId: string | null) => {
      await (loginId === null ? gateway.auth.endOtherLogins() : gateway.auth.endLogin({ params: { loginId } }).catch(unlessEnded));
    },
    onSettled: () => queries.invalidateQueries({ queryKey: loginsKey }),
  });
}
