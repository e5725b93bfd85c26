import type { Permission } from '../../../shared/contract/identity/permissions.ts';
import { fail } from '../../app/fail.ts';
import { Answer, asPage, defineModule } from '../../app/module.ts';
import { withinLimit } from '../../app/plan-limits.ts';
import { Duplicate } from '../../control/duplicate.ts';
import type { Environment, EnvironmentStore } from '../../control/environment-store.ts';
import type { CallingKey, Principal } from '../../identity/authenticator.ts';
import { newKeyValue } from '../../identity/key-value.ts';
import { must } from '../../platform/assert.ts';

export const apiKeysModule = defineModule({
  group: 'apiKeys',
  needs: ['control', 'plans'],
  build: ({ control: { keys, environments }, plans }) => ({
    list: async ({ scope }, { query }) => asPage(query, await keys.list(scope, query)),

    create: async ({ scope, principal }, { body: { name, permissions, app_id, environment_name, environment_kinds = null } }) => {
      if (app_id && app_id.toLowerCase() !== scope.app_id) fail('forbidden', 'A key can only be created for the app of the request');
      mayGrant(principal, permissions);
      const environment_id = environment_kinds
        ? assertMayUseKinds(principal, environment_name ?? null)
        : await environmentOf(environments, principal, environment_name ?? null);
      const { value, digest, key_prefix } = newKeyValue();
      const neither = { run_id: null, expires_at: null };
      const draft = { name, permissions, environment_id, environment_kinds, digest, key_prefix, ...neither };
      try {
        const create = (max: number | null) => keys.create(principal.actor, scope, draft, max);
        const key = await withinLimit(await plans.of(scope.tenant_id), 'api_keys', create);
        return new Answer(201, { data: { ...key, plaintext_key: value } });
      } catch (error) {
        if (error instanceof Duplicate) fail('duplicate_api_key_name', error.message);
        throw error;
      }
    },

    revoke: async ({ scope, principal }, { params: { apiKeyId } }) => {
      if (!(await keys.revoke(principal.actor, scope, apiKeyId))) fail('api_key_not_found', `There is no key ${apiKeyId}`);
      return new Answer(204, undefined);
    },
  }),
});

/** Permissions can be granted only by callers who have them. */
function mayGrant(principal: Principal, permissions: readonly Permission[]): void {
  const lacking = permissions.find((permission) => !principal.may(permission));
  if (lacking) fail('forbidden', `You cannot grant permissions you do not have: ${lacking}`, { required_permission: lacking });
}

/** A key bound to one environment must not create keys for others. */
function assertMayUseKinds({ key }: Principal, name: string | null): null {
  if (!key && name === null) return null;
  const problem = key ? 'can be set by people only, in the dashboard' : 'cannot be combined with environment_name';
  fail('invalid_request_body', 'Invalid request body', { details: { environment_kinds: problem } });
}

/** Named environment; else that of the caller's key; else the default one. */
async function environmentOf(environments: EnvironmentStore, { scope, key }: Principal, name: string | null): Promise<string> {
  if (name !== null) return namedFor(key, name, await environments.findNamed(scope, name));
  if (key && key.environment_id !== null) return key.environment_id;
  const standard = must(await environments.findDefault(scope), 'every app has one');
  if (key && !isFor(key, standard)) refuseName('is required: the default one is of no kind that the key is for');
  return standard.id;
}

function namedFor(key: CallingKey | null, name: string, named: Environment | null): string {
  if (!named) refuseName('is not an environment of this app');
  if (key && !isFor(key, named))
    fail('forbidden', `A key can create keys only for environments that it may write to, and ${name} is not one of them`);
  return named.id;
}

/** A key cannot extend its environments: what it writes to others has no environment. */
const isFor = ({ environment_kinds }: CallingKey, { kind }: Environment): boolean => environment_kinds?.includes(kind) ?? true;

function refuseName(problem: string): never {
  fail('invalid_request_body', 'Invalid request body', { details: { environment_name: problem } });
}
