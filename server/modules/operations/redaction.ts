import { fail } from '../../app/fail.ts';
import { defineModule } from '../../app/module.ts';
import { asksOrigin } from '../../forwarding/redaction.ts';
import { SecretStoreError } from '../../forwarding/secrets/secret-store.ts';
import type { TokenKey } from '../../forwarding/token-key.ts';

/** Local only: tokens are resolved on the machine that made them. */
export const redactionModule = defineModule({
  group: 'redaction',
  needs: ['localTelemetry', 'redaction', 'tokenKey'],
  build: ({ localTelemetry, redaction, tokenKey }) => ({
    preview: async ({ scope }, { body: { policy, trace_id = null, limit, offset } }) => {
      const token_key = await keyFrom(tokenKey);
      const found = await localTelemetry.redaction.previewSpans(scope, { trace_id, limit, offset }, asksOrigin(policy));
      if (!found) fail('trace_not_found', `No trace ${trace_id}`);
      return { data: await redaction.preview(found, { policy, token_key }) };
    },
    token: async ({ scope }, { params: { token } }) => {
      const found = await localTelemetry.redaction.token(scope, token);
      return { data: found ?? fail('not_found', `No ${token} has left this machine`) };
    },
  }),
});

async function keyFrom(tokenKey: TokenKey): Promise<Uint8Array> {
  try {
    return await tokenKey.get();
  } catch (error) {
    if (error instanceof SecretStoreError) fail('storage_unavailable', error.message);
    throw error;
  }
}
