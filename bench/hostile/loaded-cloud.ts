/** A real cloud with two tenants: `bolt` with a given number of spans, `acme` with a few hundred. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Bootstrapped, bootstrap } from '../../server/entry/bootstrap.ts';
import { spawnCloud } from '../forward/cloud-process.ts';
import type { GatewayProcess } from '../gateway/gateway-process.ts';
import { HttpClient } from '../gateway/http-client.ts';
import { makeScratchFolder, removeFolder } from '../gateway/scratch-folder.ts';
import { type BodyIndex, BodyReader, prepareBodies } from '../traffic/bodies.ts';
import { headersOf } from '../traffic/formats.ts';

const format = 'protobuf';
const acmeSpans = 300;
const senders = 4;

export interface LoadedCloud {
  url: string;
  gateway: GatewayProcess;
  bolt: TenantSide;
  acme: TenantSide;
  /** Stops the cloud, and removes its store unless `--store` keeps it. */
  stop(): Promise<void>;
}

/** The request headers of a tenant, and a request body with its spans. */
export interface TenantSide {
  headers: Record<string, string>;
  body: Buffer;
}

/** @param options `--spans N`, and `--store DIR` to keep the store for later runs of the same size */
export async function openLoadedCloud(options: string[], defaultSpans: number): Promise<LoadedCloud> {
  const { values } = parseArgs({ args: options, options: { spans: { type: 'string' }, store: { type: 'string' } }, strict: false });
  const spans = Number(values.spans ?? defaultSpans);
  const folder = typeof values.store === 'string' ? values.store : makeScratchFolder('reads');
  const accountsFile = join(folder, `made-${spans}.json`);
  const isMade = existsSync(accountsFile);
  mkdirSync(folder, { recursive: true });
  const tenants = isMade ? (JSON.parse(readFileSync(accountsFile, 'utf8')) as [Bootstrapped, Bootstrapped]) : await makeTenants(folder);
  const indexes = [bodiesOf('bolt', spans), bodiesOf('acme', acmeSpans)] as const;
  const gateway = spawnCloud(folder);
  const url = await gateway.ready;
  const [bolt, acme] = [sideOf(tenants[0], indexes[0]), sideOf(tenants[1], indexes[1])];
  if (!isMade) {
    for (const [side, index] of [[bolt, indexes[0]] as const, [acme, indexes[1]] as const]) await load(url, side, index);
    writeFileSync(accountsFile, JSON.stringify(tenants));
  }
  const stop = async () => {
    await gateway.stop();
    if (typeof values.store !== 'string') removeFolder(folder);
  };
  return { url, gateway, bolt, acme, stop };
}

async function makeTenants(dataDir: string): Promise<[Bootstrapped, Bootstrapped]> {
  const makeTenant = (tenant: string) => {
    const login = { email: `owner@${tenant}.test`, password: `a long password of ${tenant}` };
    return bootstrap({ dataDir, tenant, ...login, plan: 'enterprise' });
  };
  return [await makeTenant('bolt'), await makeTenant('acme')];
}

const bodiesOf = (seed: string, spans: number): BodyIndex =>
  prepareBodies({ seed: `hostile-${seed}`, formats: [format], checkpoints: [spans] });

function sideOf({ api_key, app_id }: Bootstrapped, index: BodyIndex): TenantSide {
  const reader = new BodyReader(index, format);
  const body = reader.read(0);
  reader.close();
  return { headers: { Authorization: api_key, 'X-Service-App-Id': app_id }, body };
}

async function load(url: string, { headers }: TenantSide, index: BodyIndex): Promise<void> {
  const client = new HttpClient(url, senders);
  const reader = new BodyReader(index, format);
  let next = 0;
  const send = async () => {
    while (next < index.spans.length) {
      const { status, body } = await client.send('POST', '/v1/traces', { ...headers, ...headersOf(format) }, reader.read(next++));
      if (status !== 200) throw new Error(`POST /v1/traces answered ${status} while loading: ${body.subarray(0, 200).toString()}`);
    }
  };
  await Promise.all(Array.from({ length: senders }, send));
  reader.close();
  client.close();
}

export const traceHeaders = (side: TenantSide): Record<string, string> => ({ ...side.headers, ...headersOf(format) });
