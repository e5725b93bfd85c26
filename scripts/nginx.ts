import { existsSync } from 'node:fs';

const places = ['/usr/sbin/nginx', '/usr/bin/nginx', '/usr/local/bin/nginx', '/opt/homebrew/bin/nginx'];

/** The nginx that the journeys run: the one E2E_NGINX names, else a system one. */
export const systemNginx = (): string | undefined => process.env.E2E_NGINX ?? places.find((place) => existsSync(place));
