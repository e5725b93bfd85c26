/** Texts of channels by kind. */
import type { AlertChannelKind } from '../../../shared/contract/operations/alert-channels.ts';

interface KindWords {
  label: string;
  /** Label of the address. */
  address: string;
  placeholder: string;
  help: string;
}

export const channelKinds: Record<AlertChannelKind, KindWords> = {
  webhook: {
    label: 'Webhook',
    address: 'URL',
    placeholder: 'https://hooks.example.com/glasshouse',
    help: 'JSON, signed with the secret.',
  },
  slack: {
    label: 'Slack webhook',
    address: 'URL',
    placeholder: 'https://hooks.slack.com/services/…',
    help: 'An incoming webhook of a Slack app.',
  },
  teams: {
    label: 'Microsoft Teams',
    address: 'URL',
    placeholder: 'https://….logic.azure.com/workflows/…',
    help: 'A workflow that starts “When a Teams webhook request is received”.',
  },
  pagerduty: {
    label: 'PagerDuty',
    address: 'Integration key',
    placeholder: '32 letters and digits',
    help: 'Of an integration with the Events API v2. Recovery resolves the incident.',
  },
  email: { label: 'E-mail', address: 'Address', placeholder: 'ann@example.com', help: 'Of a member of the team. Add a channel for each.' },
};
