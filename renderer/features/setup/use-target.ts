import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { gateway, gatewayOrigin } from '../../api/client.ts';
import { useAppId, useMay } from '../../api/identity.ts';
import type { Target } from '../../model/setup-lines.ts';

/** What a program that sends needs, and no more. */
const rights = ['trace.write', 'template.read', 'score.write'] as const;

/** A name that no other key has, and that says where it came from. */
const nameOf = (now: Date) => `set up ${now.toISOString().slice(0, 19).replace('T', ' ')}`;

/** Where programs send to. A key that is made here is in the lines for as long as the page is there, and shown nowhere again. */
export function useTarget() {
  const appId = useAppId();
  const mayMake = useMay()('api_key.insert') && appId !== null;
  const queries = useQueryClient();
  const [key, setKey] = useState<string | null>(null);
  const make = useMutation({
    networkMode: 'always',
    mutationFn: async () => (await gateway.apiKeys.create({ body: { name: nameOf(new Date()), permissions: [...rights] } })).data,
    onSuccess: ({ plaintext_key }) => {
      setKey(plaintext_key);
      return queries.invalidateQueries({ queryKey: ['keys'] });
    },
  });
  const target: Target = { origin: gatewayOrigin(), appId, key };
  return { target, mayMake, make };
}
