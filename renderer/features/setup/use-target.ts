import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { gateway, gatewayOrigin } from '../../api/client.ts';
import { useAppId, useMay } from '../../api/identity.ts';
import type { Target } from '../../model/setup/setup-lines.ts';

/** Permissions that an exporter needs. */
const permissions = ['trace.write', 'template.read', 'score.write'] as const;

/** Unique name for a key that was created on this page. */
const nameOf = (now: Date) => `set up ${now.toISOString().slice(0, 19).replace('T', ' ')}`;

/** Target of exporters. The value of a key created here is shown while the page is open, and never again. */
export function useTarget() {
  const appId = useAppId();
  const mayCreate = useMay()('api_key.insert') && appId !== null;
  const queries = useQueryClient();
  const [key, setKey] = useState<string | null>(null);
  const create = useMutation({
    networkMode: 'always',
    mutationFn: async () => (await gateway.apiKeys.create({ body: { name: nameOf(new Date()), permissions: [...permissions] } })).data,
    onSuccess: ({ plaintext_key }) => {
      setKey(plaintext_key);
      return queries.invalidateQueries({ queryKey: ['keys'] });
    },
  });
  const target: Target = { origin: gatewayOrigin(), appId, key };
  return { target, mayCreate, create };
}
