/** The containers of icons on Windows and macOS. Both hold PNGs as they are. */

/** Edge length in pixels to PNG. */
export type Drawn = ReadonlyMap<number, Buffer>;

const icoSizeMax = 256;

/** ICO: a head, a row for each picture, the pictures. An edge of 256 is written as 0. */
export function packIco(drawn: Drawn): Buffer {
  const pictures = [...drawn].filter(([size]) => size <= icoSizeMax);
  const head = Buffer.alloc(6 + 16 * pictures.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(pictures.length, 4);
  let at = head.length;
  for (const [index, [size, png]] of pictures.entries()) {
    const row = 6 + 16 * index;
    head.writeUInt8(size % icoSizeMax, row);
    head.writeUInt8(size % icoSizeMax, row + 1);
    head.writeUInt16LE(1, row + 4);
    head.writeUInt16LE(32, row + 6);
    head.writeUInt32LE(png.length, row + 8);
    head.writeUInt32LE(at, row + 12);
    at += png.length;
  }
  return Buffer.concat([head, ...pictures.map(([, png]) => png)]);
}

/** Names of the pictures by edge; those of double density hold the next size. */
const icnsNames: [name: string, size: number][] = [
  ['icp4', 16],
  ['icp5', 32],
  ['ic11', 32],
  ['ic12', 64],
  ['ic07', 128],
  ['ic13', 256],
  ['ic08', 256],
  ['ic14', 512],
  ['ic09', 512],
  ['ic10', 1024],
];

/** ICNS: every block is a name of four letters, its length with this head, and a PNG. */
export function packIcns(drawn: Drawn): Buffer {
  const block = (name: string, content: Buffer) => {
    const head = Buffer.from(`${name}\0\0\0\0`, 'latin1');
    head.writeUInt32BE(content.length + head.length, 4);
    return Buffer.concat([head, content]);
  };
  return block('icns', Buffer.concat(icnsNames.flatMap(([name, size]) => (drawn.has(size) ? block(name, drawn.get(size) as Buffer) : []))));
}
