import type { NoticeData } from '../notice.ts';
import type { Told } from '../told.ts';

const actions = { triggered: 'trigger', acknowledged: 'acknowledge', resolved: 'resolve' } as const;

/**
 * Event of version 2 of PagerDuty's Events API. All events of an alert have one `dedup_key`, so that PagerDuty opens one incident for it and
 * resolves that one.
 */
export function pagerDutyEvent(routing_key: string, { summary, notices: [notice] }: Told, testKey: string): object {
  if (!notice) return { routing_key, ...testTrigger(summary), dedup_key: testKey };
  const { alert } = notice;
  const event = { routing_key, event_action: actions[alert.status], dedup_key: `glasshouse-alert-${alert.id}` };
  return alert.status === 'triggered' ? { ...event, ...trigger(notice) } : event;
}

/** Ends what a test began. */
export const endOfTest = (routing_key: string, dedup_key: string): object => ({ routing_key, event_action: 'resolve', dedup_key });

const testTrigger = (summary: string) => ({ event_action: 'trigger', payload: { summary, source: 'Glasshouse', severity: 'info' } });

function trigger({ alert, app, environment, message, timestamp, tracesUrl, traces }: NoticeData) {
  const details = { value: alert.currentFigure, threshold: alert.thresholdFigure, window: alert.timeWindow };
  const links = [
    { href: tracesUrl, text: 'Traces' },
    ...traces.map(({ url, name, figure }) => ({ href: url, text: `${name}: ${figure}` })),
  ];
  return {
    payload: {
      ...{ summary: message, source: environment ? `${app.name}, ${environment.name}` : app.name },
      ...{ severity: 'error', timestamp, group: app.name, class: alert.type, custom_details: { alert: alert.name, ...details } },
    },
    ...{ client: 'Glasshouse', client_url: alert.url, links },
  };
}
