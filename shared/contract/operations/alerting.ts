/** Everything about alerts. */
import { alertAttention } from './alert-attention.ts';
import { alertChannels } from './alert-channels.ts';
import { alertDestinations } from './alert-destinations.ts';
import { alertSeriesRoutes } from './alert-series.ts';
import { alerts } from './alerts.ts';

export const alerting = { alerts, alertDestinations, alertChannels, alertSeries: alertSeriesRoutes, alertAttention };
