/** Runaways: this store does not look for them (capabilities.ts). */
import type { Scope } from '../../../platform/scope.ts';
import { Encoded } from '../../encoded.ts';
import type { RunawayStore } from '../../runaway-store.ts';
import { StorageError } from '../../storage-error.ts';
import { ofApp, type ReadContext } from './read-context.ts';

const hasService = `SELECT 1 FROM span FINAL WHERE ${ofApp} AND service = {service:String} LIMIT 1`;

export const noRunaways = (context: ReadContext): RunawayStore => ({
  list: async () => Encoded.of([]),
  thresholds: async () => Encoded.of([]),
  hasService: async (scope: Scope, service) =>
    Encoded.of(service === '' || (await context.inApp(scope, hasService, { service })).length > 0),
  setThreshold: async () => {
    throw new StorageError('mistake', 'This store does not look for runaways');
  },
  follow: () => () => {},
});
