import { existsSync } from 'node:fs';

const paths = ['/usr/sbin/nginx', '/usr/bin/nginx', '/usr/local/bin/nginx', '/opt/homebrew/bin/nginx'];

/** Path of the nginx for the journeys: the value of E2E_NGINX, else a system nginx. */
export const systemNginx = (): string | undefined => process.env.E2E_NGINX ?? paths.find((path) => existsSync(path));
