/** Renders build/icon.svg to the icon formats of the installers. Run it when the SVG changes; its output is checked in. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { systemChromium } from './chromium.ts';
import { packIcns, packIco } from './icon-files.ts';

const folder = join(import.meta.dirname, '../build');
const svg = readFileSync(join(folder, 'icon.svg'), 'utf8');
const sizes = [16, 32, 48, 64, 128, 256, 512, 1024];

const executablePath = systemChromium();
const browser = await chromium.launch(executablePath ? { executablePath } : {});
const page = await browser.newPage();
const images = new Map<number, Buffer>();
for (const size of sizes) {
  await page.setViewportSize({ width: size, height: size });
  await page.setContent(`<style>*{margin:0;display:block}svg{width:${size}px;height:${size}px}</style>${svg}`);
  images.set(size, await page.screenshot({ omitBackground: true }));
}
await browser.close();

writeFileSync(join(folder, 'icon.png'), images.get(512) as Buffer);
writeFileSync(join(folder, 'icon.ico'), packIco(images));
writeFileSync(join(folder, 'icon.icns'), packIcns(images));
