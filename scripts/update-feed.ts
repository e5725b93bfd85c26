/** The files that installed apps read to find a new version: electron-builder's `latest*.yml`, each of which names installers and their hashes. */
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { parse } from 'yaml';

/** Without one of these, the apps of a system never hear of the version. */
const required = ['latest.yml', 'latest-mac.yml', 'latest-linux.yml', 'latest-linux-arm64.yml'];

interface FeedFile {
  url: string;
  /** Base64. */
  sha512: string;
  size?: number;
}

interface Feed {
  version: string;
  files: FeedFile[];
}

const readFeed = (folder: string, name: string): Feed => parse(readFileSync(join(folder, name), 'utf8')) as Feed;

const feedsIn = (folder: string): string[] => readdirSync(folder).filter((name) => /^latest.*\.yml$/.test(name));

async function sha512(path: string): Promise<string> {
  const hash = createHash('sha512');
  await pipeline(createReadStream(path), hash);
  return hash.digest('base64');
}

async function fileFault(folder: string, { url, sha512: hash, size }: FeedFile): Promise<string | null> {
  const path = join(folder, url);
  if (!existsSync(path)) return `${url} is missing`;
  if (size !== undefined && statSync(path).size !== size) return `${url} has ${statSync(path).size} bytes, not ${size}`;
  return (await sha512(path)) === hash ? null : `${url} has another hash`;
}

/**
 * @param folder the lists and the installers
 * @param version that each list must name
 * @returns what is wrong, a sentence each
 */
export async function folderFaults(folder: string, version: string): Promise<string[]> {
  const names = feedsIn(folder);
  const faults = required.filter((name) => !names.includes(name)).map((name) => `${name} is missing`);
  for (const name of names) {
    const feed = readFeed(folder, name);
    if (feed.version !== version) faults.push(`${name} names version ${feed.version}, not ${version}`);
    if (feed.files.length === 0) faults.push(`${name} names no file`);
    for (const file of feed.files) {
      const fault = await fileFault(folder, file);
      if (fault !== null) faults.push(`${name}: ${fault}`);
    }
  }
  return faults;
}

/** @returns what is wrong with what an address serves, compared with the folder, a sentence each */
export async function servedFaults(folder: string, url: string): Promise<string[]> {
  const base = url.endsWith('/') ? url : `${url}/`;
  const faults: string[] = [];
  for (const name of feedsIn(folder)) {
    const response = await fetch(new URL(name, base));
    if (!response.ok) faults.push(`${name} is answered with ${response.status}`);
    else if ((await response.text()) !== readFileSync(join(folder, name), 'utf8')) faults.push(`${name} is served with other content`);
    for (const file of readFeed(folder, name).files) {
      const { ok, status, headers } = await fetch(new URL(file.url, base), { method: 'HEAD' });
      if (!ok) faults.push(`${file.url} is answered with ${status}`);
      else if (file.size !== undefined && Number(headers.get('content-length')) !== file.size)
        faults.push(`${file.url} is served with another size`);
    }
  }
  return faults;
}
