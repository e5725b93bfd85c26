/** The tray icon: a glass house, with a bar across it while receiving is paused. Drawn here as a PNG, without a library. */
import { crc32, deflateSync } from 'node:zlib';

/** 16 pixels wide, one character each; doubled for dense displays. */
const house = [
  '................',
  '.......##.......',
  '......####......',
  '.....##..##.....',
  '....##....##....',
  '...##......##...',
  '..##........##..',
  '.##############.',
  '..#....##....#..',
  '..#....##....#..',
  '..#....##....#..',
  '..############..',
  '..#....##....#..',
  '..#....##....#..',
  '..############..',
  '................',
];

const bar = (x: number, y: number, size: number) => Math.abs(x - (size - 1 - y)) < size / 10;

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

/** @param ink red, green and blue; the background is transparent, as the macOS menu bar requires */
export function trayImage(isPaused: boolean, ink: readonly [number, number, number], scale: 1 | 2 = 2): Buffer {
  const size = house.length * scale;
  const rows = Array.from({ length: size }, (_, y) => {
    const row = Buffer.alloc(1 + size * 4);
    for (let x = 0; x < size; x++) {
      const isInk = house[Math.floor(y / scale)]?.[Math.floor(x / scale)] === '#' || (isPaused && bar(x, y, size));
      row.set([...ink, isInk ? 255 : 0], 1 + x * 4);
    }
    return row;
  });
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.set([8, 6, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', deflateSync(Buffer.concat(rows))), chunk('IEND', Buffer.alloc(0))]);
}
