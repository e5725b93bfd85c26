import { useState } from 'react';
import { asFailure } from '../../api/failure.ts';
import { ScreenHeader } from '../../ui/lists/list-screen.tsx';
import { FailedState } from '../../ui/primitives/failed-state.tsx';
import { InlineSelect } from '../../ui/primitives/inline-select.tsx';
import { PageBody } from '../../ui/primitives/page-body.tsx';
import { SkeletonRows } from '../../ui/primitives/skeleton.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { useEnvironments } from './alerts-query.ts';
import { ChannelsPart } from './channels-part.tsx';
import { useSlack, useWebhook } from './destinations-query.ts';
import { SlackForm } from './slack-form.tsx';
import { WebhookForm } from './webhook-form.tsx';

/** Alert destinations: channels, a webhook for each environment, a Slack channel for the app. */
export function DestinationsScreen() {
  const environments = useEnvironments();
  const [selected, select] = useState('');
  const all = environments.data ?? [];
  const environment = all.find(({ id }) => id === selected) ?? all[0];
  if (environments.isError && !environments.data)
    return (
      <FailedState
        failure={asFailure(environments.error, 'The environments could not be loaded')}
        onRetry={() => void environments.refetch()}
      />
    );
  return (
    <>
      <title>Destinations · Glasshouse</title>
      <ScreenHeader title="Destinations" />
      <PageBody label="Alert destinations">
        <ChannelsPart />
        <section className="grid gap-2">
          <span className="flex items-center gap-2">
            <Text as="h2" size="section" strong>
              Webhook of an environment
            </Text>
            {all.length > 1 && environment && (
              <InlineSelect
                label="Environment"
                options={all.map(({ id, name }) => ({ id, label: name }))}
                value={environment.id}
                onChange={select}
              />
            )}
          </span>
          <Text as="p" tone="dim">
            Alerts for the whole app use the webhook of the default environment. Each notification is signed; docs/alerts.md explains how to
            verify the signature.
          </Text>
          {environment && <Webhook key={environment.id} environmentId={environment.id} />}
        </section>
        <Slack />
      </PageBody>
    </>
  );
}

function Webhook({ environmentId }: { environmentId: string }) {
  const webhook = useWebhook(environmentId);
  if (webhook.data !== undefined)
    return <WebhookForm key={webhook.data?.updated_at ?? ''} environmentId={environmentId} saved={webhook.data} />;
  if (!webhook.isError) return <SkeletonRows rows={3} label="Loading the webhook" />;
  return <FailedState failure={asFailure(webhook.error, 'The webhook could not be loaded')} onRetry={() => void webhook.refetch()} />;
}

function Slack() {
  const slack = useSlack();
  return (
    <section className="grid gap-2">
      <Text as="h2" size="section" strong>
        Slack channel of the app
      </Text>
      <Text as="p" tone="dim">
        One channel for the whole app, through your own bot with the scopes chat:write and channels:read.
      </Text>
      {slack.data !== undefined ? (
        <SlackForm key={slack.data?.updated_at ?? ''} saved={slack.data} />
      ) : slack.isError ? (
        <FailedState failure={asFailure(slack.error, 'The connection could not be loaded')} onRetry={() => void slack.refetch()} />
      ) : (
        <SkeletonRows rows={3} label="Loading the connection" />
      )}
    </section>
  );
}
