import { getRouteApi } from '@tanstack/react-router';
import { asFailure } from '../../api/failure.ts';
import { useAppId, useMay } from '../../api/identity.ts';
import { refusalOf, restOf } from '../../api/refusal.ts';
import { ScreenHeader } from '../../ui/lists/list-screen.tsx';
import { Button } from '../../ui/primitives/button.tsx';
import { FailedState } from '../../ui/primitives/failed-state.tsx';
import { FormFoot } from '../../ui/primitives/form-foot.tsx';
import { PageBody } from '../../ui/primitives/page-body.tsx';
import { Pill } from '../../ui/primitives/pill.tsx';
import { SkeletonRows } from '../../ui/primitives/skeleton.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { type Provider, useConnect, useConnection, useLink, useUnlink } from './git-query.ts';
import { LinkForm } from './link-form.tsx';

const route = getRouteApi('/settings/git');

/** Linked repository of the app. A push to the linked branch is a deployment. */
export function GitScreen() {
  const appId = useAppId() ?? '';
  const { git: outcome } = route.useSearch();
  const connection = useConnection(appId);
  const state = connection.data;
  return (
    <>
      <title>Git · Glasshouse</title>
      <ScreenHeader title="Git">
        {state && (
          <Pill tone={state.connected ? 'ok' : 'plain'}>{state.connected ? `Connected to ${state.provider}` : 'Not connected'}</Pill>
        )}
      </ScreenHeader>
      {connection.isError && !state ? (
        <FailedState
          failure={asFailure(connection.error, 'The git connection could not be loaded')}
          onRetry={() => void connection.refetch()}
        />
      ) : !state ? (
        <SkeletonRows rows={4} label="Loading the connection" />
      ) : (
        <PageBody label="Git">
          {outcome !== undefined && outcome !== 'connected' && (
            <Text as="p" tone="err">{`The provider did not connect the app: ${outcome.replaceAll('_', ' ')}. Try again.`}</Text>
          )}
          {state.repository ? (
            <Linked appId={appId} repository={state.repository} branch={state.branch ?? ''} />
          ) : state.connected ? (
            <LinkForm appId={appId} />
          ) : null}
          <Connect appId={appId} isConnected={state.connected} providers={state.providers} />
        </PageBody>
      )}
    </>
  );
}

function Linked({ appId, repository, branch }: { appId: string; repository: string; branch: string }) {
  const unlink = useUnlink(appId);
  const link = useLink(appId);
  const mayChange = useMay()('app.write');
  return (
    <section className="grid justify-items-start gap-2">
      <Text as="p" size="body">
        Every push to <span className="font-mono">{branch}</span> of <span className="font-mono">{repository}</span> is deployed to the
        default environment: its prompts, datasets and settings are those of the commit.
      </Text>
      {mayChange && (
        <FormFoot problem={restOf(refusalOf(link.error ?? unlink.error), [])}>
          <Button disabled={link.isPending || branch === ''} onClick={() => link.mutate({ repository, branch, deploy: true })}>
            Deploy now
          </Button>
          <Button disabled={unlink.isPending} onClick={() => unlink.mutate()}>
            Unlink repository
          </Button>
          <Text tone="dim">{link.isSuccess ? 'The deployment has been requested.' : 'Existing deployments stay.'}</Text>
        </FormFoot>
      )}
    </section>
  );
}

interface ConnectProps {
  appId: string;
  isConnected: boolean;
  /** Those that the gateway is set up for. */
  providers: readonly Provider[];
}

const providerNames = { github: 'GitHub', gitlab: 'GitLab' } as const;

function Connect({ appId, isConnected, providers }: ConnectProps) {
  const connect = useConnect(appId);
  const mayChange = useMay()('app.write');
  if (!mayChange) return isConnected ? null : <Text tone="dim">Owners and admins of the team connect apps to git.</Text>;
  if (providers.length === 0)
    return <Text tone="dim">This gateway is not set up for GitHub or GitLab. Its operator finds the steps in docs/git-hosts.md.</Text>;
  return (
    <section className="grid gap-2">
      <Text as="h2" size="section" strong>
        {isConnected ? 'Reconnect' : 'Connect a provider'}
      </Text>
      <Text as="p" size="body" tone="quiet">
        The provider asks which repositories the gateway may access, and then sends you back here.
      </Text>
      <FormFoot problem={restOf(refusalOf(connect.error), [])}>
        {providers.map((provider) => (
          <Button key={provider} disabled={connect.isPending} onClick={() => connect.mutate(provider)}>
            {providerNames[provider]}
          </Button>
        ))}
      </FormFoot>
    </section>
  );
}
