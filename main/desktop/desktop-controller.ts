/**
 * Logic of the desktop, without Electron: menus and tray follow the state, commits become counts, notifications and a badge, files and links
 * become screens. Its gateway, settings and shell are passed in.
 */
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { noPorts, standardPorts } from '../../server/entry/otlp-ports.ts';
import { type PortTaken, tellPorts, tellTaken } from '../../server/entry/standard-ports.ts';
import type { Client } from '../../shared/client.ts';
import type { OtlpPorts } from '../../shared/contract/core/platform.ts';
import type { DesktopKey } from '../../shared/desktop-keys.ts';
import type { Ask } from './ask.ts';
import type { ToOpen } from './asked-to-open.ts';
import { traceRoute } from './deep-link.ts';
import { DistinctCounter } from './distinct-counter.ts';
import { type Item, menuTemplate } from './menu.ts';
import { type Notice, Notices, shownName } from './notices.ts';
import { clientOf, isRunOver, readArrived } from './own-gateway.ts';
import { type Gateway, setUpLine } from './port.ts';
import type { Settings, SettingsFile } from './settings.ts';
import type { Shell } from './shell.ts';
import { takeTraceFile } from './trace-file.ts';
import { trayTemplate } from './tray.ts';
import { type Zooming, zoomed } from './zoom.ts';

export interface ControllerParts {
  gateway: Gateway;
  settings: SettingsFile;
  shell: Shell;
  ask: Ask;
  platform: NodeJS.Platform;
  isPackaged: boolean;
  /** The ports of OTLP, when they are to be listened on: the standard ones when absent. */
  otlpPorts?: OtlpPorts | undefined;
  /** Menu items of other parts of the app. */
  extra: Item[];
}

/** The tray is drawn anew at most so often. */
const trayMs = 500;

export class DesktopController {
  readonly #needs: ControllerParts;
  readonly #client: Client;
  readonly #notices: Notices;
  readonly #traces = new DistinctCounter();
  #spans = 0;
  #unseen = 0;
  #isPaused = false;
  #portsTaken: number[] = [];
  #tray: NodeJS.Timeout | null = null;
  #unfollow = () => {};

  constructor(needs: ControllerParts) {
    const { gateway, settings } = needs;
    this.#needs = needs;
    this.#client = clientOf(gateway.url);
    this.#notices = new Notices({
      read: (ids) => readArrived(this.#client, ids),
      isOver: (id) => isRunOver(this.#client, id),
      settings: () => settings.values,
      failed: (count) => this.#failed(count),
      tell: (notice) => this.#tell(notice),
      now: Date.now,
    });
  }

  /** Starts to follow the gateway, and opens a window if the settings say so. */
  async start(): Promise<void> {
    const { gateway, settings } = this.#needs;
    this.#unfollow = gateway.follow(({ trace_ids, span_count }) => this.#heard(trace_ids, span_count));
    this.#draw();
    if (settings.setAside !== null) void this.#tellSetAside(settings.setAside);
    if (settings.values.otlp_ports) process.stderr.write(tellPorts(await this.#listenForOtlp(true), gateway.otlpPorts));
  }

  stop(): void {
    this.#unfollow();
    if (this.#tray) clearTimeout(this.#tray);
  }

  /** A window has the focus, so new traces count as seen. */
  looked(): void {
    if (this.#unseen === 0) return;
    this.#unseen = 0;
    this.#needs.shell.badge(0);
    this.#drawTray();
  }

  async open(asked: readonly ToOpen[]): Promise<void> {
    const { shell } = this.#needs;
    if (asked.length === 0) shell.show();
    for (const one of asked)
      if ('route' in one) shell.show(one.route);
      else await this.#openFile(one.file);
  }

  set(some: Partial<Settings>): void {
    const { settings, shell } = this.#needs;
    const isNew = Object.entries(some).some(([name, value]) => settings.values[name as keyof Settings] !== value);
    if (!isNew) return;
    settings.change(some);
    if (some.theme !== undefined) shell.takeTheme(some.theme);
    if (some.open_at_login !== undefined) shell.openAtLogin(some.open_at_login);
    if (some.otlp_ports !== undefined) void this.#listenAsAsked(some.otlp_ports);
    this.#draw();
  }

  pause(isPaused: boolean): void {
    this.#isPaused = isPaused;
    this.#needs.gateway.pause(isPaused);
    this.#draw();
  }

  async run(key: DesktopKey): Promise<void> {
    const { shell } = this.#needs;
    if (key.group === 'Go') shell.show(key.route);
    else if (key.id === 'reload') shell.reload();
    else if (key.id === 'new-window') shell.openWindow('#/traces');
    else if (key.id === 'open-file') await this.#chooseFile();
    else if (key.id === 'open-project') await this.#chooseProject();
    else this.zoom(key.id);
  }

  zoom(how: Zooming): void {
    const { shell, settings } = this.#needs;
    const zoom = zoomed(settings.values.zoom, how);
    shell.zoom(zoom);
    settings.change({ zoom });
  }

  #draw(): void {
    const { shell, settings, gateway, platform, isPackaged, extra } = this.#needs;
    const setUp = setUpLine(gateway.port);
    const copySetUpLine = () => shell.copy(setUp);
    shell.drawMenu(
      menuTemplate(
        {
          platform,
          isPackaged,
          settings: settings.values,
          isPaused: this.#isPaused,
          setUpLine: setUp,
          portsTaken: this.#portsTaken,
          extra,
        },
        {
          run: (key) => void this.run(key),
          copySetUpLine,
          revealData: () => shell.revealData(),
          pause: (isPaused) => this.pause(isPaused),
          set: (some) => this.set(some),
        },
      ),
    );
    this.#drawTray();
  }

  #drawTray(): void {
    const { shell, gateway } = this.#needs;
    const setUp = setUpLine(gateway.port);
    const state = { traces: this.#traces.count, spans: this.#spans, unseen: this.#unseen, isPaused: this.#isPaused, setUpLine: setUp };
    const commands = {
      show: () => shell.show(),
      pause: (isPaused: boolean) => this.pause(isPaused),
      copySetUpLine: () => shell.copy(setUp),
      quit: () => shell.quit(),
    };
    shell.drawTray(trayTemplate(state, commands), state);
  }

  #heard(traceIds: readonly string[], spans: number): void {
    for (const id of traceIds) this.#traces.add(id);
    this.#spans += spans;
    this.#tray ??= setTimeout(() => {
      this.#tray = null;
      this.#drawTray();
    }, trayMs);
    // A stopping gateway does not answer, and needs no notification.
    this.#notices.heard(traceIds).catch(() => {});
  }

  #failed(count: number): void {
    const { shell } = this.#needs;
    if (shell.isLooking()) return;
    this.#unseen += count;
    shell.badge(this.#unseen);
  }

  #tell(notice: Notice): void {
    const { shell } = this.#needs;
    if (shell.isLooking()) return;
    shell.notify(notice, () => shell.show(notice.traceId === null ? '#/traces' : traceRoute(notice.traceId)));
  }

  /** @returns ports used by another program, also shown in the menu */
  async #listenForOtlp(isWanted: boolean): Promise<PortTaken[]> {
    const { gateway, otlpPorts = standardPorts } = this.#needs;
    const taken = await gateway.listenForOtlp(isWanted ? otlpPorts : noPorts);
    this.#portsTaken = taken.map(({ port }) => port);
    this.#draw();
    return taken;
  }

  async #listenAsAsked(isWanted: boolean): Promise<void> {
    const taken = await this.#listenForOtlp(isWanted);
    if (taken.length === 0) return;
    const detail = `${taken.map(tellTaken).join('\n')}\n\nPerhaps that is a collector. The app asks for them again at its next start.`;
    await this.#needs.ask({ type: 'warning', message: 'Not all ports can be had', detail, buttons: ['Close'] });
  }

  async #chooseFile(): Promise<void> {
    const file = await this.#needs.shell.chooseFile();
    if (file !== null) await this.#openFile(file);
  }

  async #openFile(file: string): Promise<void> {
    const { gateway, shell, ask } = this.#needs;
    const taken = await takeTraceFile(file, gateway.url);
    if (taken.kind === 'taken') {
      const [only, ...others] = taken.traceIds;
      shell.show(only !== undefined && others.length === 0 ? traceRoute(only) : '#/traces');
      return;
    }
    await ask({ type: 'warning', message: `${shownName(basename(file))} was not opened`, detail: taken.why, buttons: ['Close'] });
  }

  async #chooseProject(): Promise<void> {
    const { gateway, settings, shell } = this.#needs;
    const project = await shell.chooseFolder();
    if (project === null || !(await stat(project)).isDirectory()) return;
    settings.change({ project });
    gateway.openProject(project);
  }

  async #tellSetAside(path: string): Promise<void> {
    const detail = `It was not lost: it is in\n\n${path}\n\nWhat could be read of it is in force, the rest is as in the beginning.`;
    await this.#needs.ask({ type: 'warning', message: 'The settings could not be read whole', detail, buttons: ['Close'] });
  }
}
