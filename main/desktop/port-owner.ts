/** Finds the name of the program that listens on a port of this machine, if the system reveals it, to show it to the user. */
import { execFile } from 'node:child_process';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { basename } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const timeoutMs = 1500;
/** Programs choose their own names, so only short plain ones are shown. */
const plainName = /^[\w .+@-]{1,40}$/;

const lines = async (program: string, ...args: string[]) =>
  (await run(program, args, { timeout: timeoutMs, windowsHide: true, maxBuffer: 1024 * 1024 })).stdout.split(/\r?\n/);

/** Column 2 is `address:port` in hexadecimal, column 4 the state (0A listens), column 10 the inode of the socket. */
export function listeningInodes(table: string, port: number): string[] {
  const portSuffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return table
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter((columns) => columns[1]?.endsWith(portSuffix) && columns[3] === '0A')
    .flatMap((columns) => columns[9] ?? []);
}

async function onLinux(port: number): Promise<string | undefined> {
  const tables = await Promise.all(['tcp', 'tcp6'].map((name) => readFile(`/proc/net/${name}`, 'utf8').catch(() => '')));
  const sockets = new Set(tables.flatMap((table) => listeningInodes(table, port)).map((inode) => `socket:[${inode}]`));
  if (sockets.size === 0) return undefined;
  for (const id of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const processDir = `/proc/${id}`;
    // Those of other users are not readable.
    const handles = await readdir(`${processDir}/fd`).catch(() => []);
    const targets = await Promise.all(handles.map((handle) => readlink(`${processDir}/fd/${handle}`).catch(() => '')));
    if (targets.some((target) => sockets.has(target))) return readlink(`${processDir}/exe`).then(basename);
  }
  return undefined;
}

async function onMac(port: number): Promise<string | undefined> {
  const found = await lines('/usr/sbin/lsof', '-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-Fc');
  return found.find((line) => line.startsWith('c'))?.slice(1);
}

async function onWindows(port: number): Promise<string | undefined> {
  const owner = `(Get-Process -Id (Get-NetTCPConnection -LocalPort ${port} -State Listen)[0].OwningProcess).ProcessName`;
  return (await lines('powershell.exe', '-NoProfile', '-NonInteractive', '-Command', owner))[0];
}

const finders: Partial<Record<NodeJS.Platform, (port: number) => Promise<string | undefined>>> = {
  linux: onLinux,
  darwin: onMac,
  win32: onWindows,
};

/** Null when the system does not reveal it or the name is not plain. */
export async function portOwner(port: number, platform: NodeJS.Platform = process.platform): Promise<string | null> {
  try {
    const name = (await finders[platform]?.(port))?.trim() ?? '';
    return plainName.test(name) ? name : null;
  } catch {
    return null;
  }
}
