/**
 * Starts the gateway of this app, or explains why its port is taken. Whoever listens there receives every prompt, so the port never changes
 * silently. Plain Node: the function that starts a gateway and the dialogs are arguments.
 */
import { z } from 'zod';
import type { LocalGateway, LocalOptions } from '../../server/entry/local.ts';
import { FolderInUse } from '../../server/entry/start-failure.ts';
import type { Ask, Question } from './ask.ts';
import { portOwner } from './port-owner.ts';

export type Gateway = Omit<LocalGateway, 'quarantined'>;
export type StartGateway = (options: LocalOptions) => Promise<Gateway>;

export type Opening = { kind: 'ours'; gateway: Gateway; isMoved: boolean } | { kind: 'theirs'; port: number } | { kind: 'quit' };

/** Untrusted text from the program on the port, shown to the user: only short plain words pass. */
const identitySchema = z.object({ instance: z.string().regex(/^[\w.-]{1,64}$/), version: z.string().regex(/^[\w.+-]{1,32}$/) });
type GatewayIdentity = z.output<typeof identitySchema>;

const timeoutMs = 1500;
const responseCharsMax = 256 * 1024;

/** Identifies a Glasshouse on the port; null for anything else, and without an answer. Sends nothing but this request. */
export async function glasshouseAt(port: number): Promise<GatewayIdentity | null> {
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const answer = await fetch(`http://127.0.0.1:${port}/v1/capabilities`, { signal, redirect: 'error' });
    if (!answer.ok || answer.body === null) return null;
    const decoder = new TextDecoder();
    let text = '';
    for await (const chunk of answer.body) {
      text += decoder.decode(chunk, { stream: true });
      if (text.length > responseCharsMax) return null;
    }
    return identitySchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

type Choice = 'theirs' | 'other-port' | 'quit';

function portTaken(port: number, occupant: GatewayIdentity | null, owner: string | null): { question: Question; choices: Choice[] } {
  const program = owner === null ? 'Another program' : `The program '${owner}'`;
  const who = occupant === null ? program : `Another Glasshouse (version ${occupant.version}, instance ${occupant.instance})`;
  const options: [Choice, string][] = [
    ...(occupant === null ? [] : [['theirs', 'Open that one'] satisfies [Choice, string]]),
    ['other-port', 'Use another port'],
    ['quit', 'Quit'],
  ];
  const question: Question = {
    type: 'warning',
    message: `Port ${port} is taken`,
    detail: `${who} listens on port ${port}. What your apps send to that port goes there, not to this app.`,
    buttons: options.map(([, label]) => label),
  };
  return { question, choices: options.map(([choice]) => choice) };
}

/** The folder's traces are shown by the gateway that has it; a second gateway on it would corrupt them. */
async function folderTaken({ message, owner }: FolderInUse, ask: Ask): Promise<Opening> {
  const port = owner?.port ?? null;
  const canOpen = port !== null && (await glasshouseAt(port)) !== null;
  const buttons = canOpen ? ['Open it', 'Quit'] : ['Quit'];
  const answer = await ask({ type: 'warning', message: 'Another Glasshouse uses this data folder', detail: message, buttons });
  return canOpen && answer === 0 ? { kind: 'theirs', port } : { kind: 'quit' };
}

/** EACCES of `listen`: Windows reserves ranges of ports. */
const isTaken = (error: unknown): boolean => {
  const { code, syscall } = error as NodeJS.ErrnoException;
  return code === 'EADDRINUSE' || (code === 'EACCES' && syscall === 'listen');
};

/** Uses the next free port: a nearby one is likely to be the same in the next run. */
async function startNearby(start: StartGateway, options: LocalOptions): Promise<Gateway> {
  for (let port = options.port + 1; port <= Math.min(options.port + 20, 65_535); port += 1)
    try {
      return await start({ ...options, port });
    } catch (error) {
      if (!isTaken(error)) throw error;
    }
  return start({ ...options, port: 0 });
}

export async function openGateway(start: StartGateway, options: LocalOptions, ask: Ask, ownerOf = portOwner): Promise<Opening> {
  try {
    return { kind: 'ours', gateway: await start(options), isMoved: false };
  } catch (error) {
    if (error instanceof FolderInUse) return folderTaken(error, ask);
    if (!isTaken(error)) throw error;
  }
  const [occupant, owner] = await Promise.all([glasshouseAt(options.port), ownerOf(options.port)]);
  const { question, choices } = portTaken(options.port, occupant, owner);
  const choice = choices[await ask(question)] ?? 'quit';
  if (choice === 'other-port') return { kind: 'ours', gateway: await startNearby(start, options), isMoved: true };
  return choice === 'theirs' ? { kind: 'theirs', port: options.port } : { kind: 'quit' };
}

export const setUpLine = (port: number) => `OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:${port}`;

export async function offerNewAddress(port: number, ask: Ask, copy: (text: string) => void): Promise<void> {
  const line = setUpLine(port);
  const detail = `Point your apps at it:\n\n${line}`;
  const answer = await ask({ type: 'info', message: `Glasshouse listens on port ${port}`, detail, buttons: ['Copy', 'Continue'] });
  if (answer === 0) copy(line);
}
