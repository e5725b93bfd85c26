/** A real nginx on loopback, for journeys behind a proxy. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemNginx } from '../scripts/nginx.ts';
import { selfSigned } from '../server/fixtures/self-signed.ts';

const sample = join(import.meta.dirname, '../deploy/nginx.conf');
const pauseMs = 20;
const timeoutMs = 15_000;

export interface Nginx {
  stop(): Promise<void>;
}

/** Adds what nginx needs to run as a child process of a test. @param conf the content of `conf.d` @param port where nginx will listen */
async function startNginx(folder: string, conf: string, port: number): Promise<Nginx> {
  mkdirSync(join(folder, 'temp'));
  const temp = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${folder}/temp/${kind};`);
  writeFileSync(join(folder, 'glasshouse.conf'), conf);
  const main = [
    ...[`pid ${folder}/nginx.pid;`, `error_log ${folder}/error.log;`, 'daemon off;', 'master_process off;', 'events {}'],
    `http { access_log off; ${temp.join(' ')} include ${folder}/glasshouse.conf; }`,
  ];
  writeFileSync(join(folder, 'nginx.conf'), main.join('\n'));
  const program = systemNginx();
  if (program === undefined) throw new Error('nginx is missing: scripts/ensure-nginx.ts installs it');
  const child = spawn(program, ['-c', join(folder, 'nginx.conf'), '-p', folder], { stdio: ['ignore', 'ignore', 'inherit'] });
  const exited = once(child, 'exit');
  const giveUpAt = performance.now() + timeoutMs;
  while (!(await acceptsConnections(port))) {
    if (child.exitCode !== null || performance.now() > giveUpAt) throw new Error(readFileSync(join(folder, 'error.log'), 'utf8'));
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  return {
    stop: async () => {
      child.kill('SIGTERM');
      await exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const acceptsConnections = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

/** Starts nginx with `deploy/nginx.conf`, in which only the lines marked `# change` are changed. */
export async function startSampleNginx(gatewayPort: number, port: number, plainPort: number): Promise<Nginx> {
  const folder = mkdtempSync(join(tmpdir(), 'glasshouse-nginx-'));
  const { key, cert } = selfSigned();
  writeFileSync(join(folder, 'key.pem'), key);
  writeFileSync(join(folder, 'cert.pem'), cert);
  const values: Record<string, string> = {
    'server 127.0.0.1:9419;': `server 127.0.0.1:${gatewayPort};`,
    'listen 80;': `listen 127.0.0.1:${plainPort};`,
    'listen 443 ssl http2;': `listen 127.0.0.1:${port} ssl http2;`,
    'server_name traces.example.com;': 'server_name 127.0.0.1;',
    'ssl_certificate /etc/letsencrypt/live/traces.example.com/fullchain.pem;': `ssl_certificate ${folder}/cert.pem;`,
    'ssl_certificate_key /etc/letsencrypt/live/traces.example.com/privkey.pem;': `ssl_certificate_key ${folder}/key.pem;`,
  };
  const lines = readFileSync(sample, 'utf8').split('\n');
  const conf = lines.map((line) => {
    const [setting = '', note] = line.split(' # change');
    if (note === undefined) return line;
    const changed = values[setting.trim()];
    if (changed === undefined) throw new Error(`deploy/nginx.conf has a line to change that e2e/nginx.ts does not know: ${line}`);
    return changed;
  });
  return startNginx(folder, conf.join('\n'), port);
}

/** Starts nginx as a plain proxy with its default settings. */
export const startStockNginx = (gatewayPort: number, port: number): Promise<Nginx> =>
  startNginx(
    mkdtempSync(join(tmpdir(), 'glasshouse-nginx-')),
    `server { listen 127.0.0.1:${port}; location / { proxy_pass http://127.0.0.1:${gatewayPort}; } }`,
    port,
  );
