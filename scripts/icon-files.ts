/** Icon containers of Windows and macOS. Both contain unchanged PNG images. */

/** PNG images by edge length in pixels. */
export type IconImages = ReadonlyMap<number, Buffer>;

const icoSizeMax = 256;

/** ICO: a header, a directory entry for each image, the images. An edge of 256 pixels is written as 0. */
export function packIco(images: IconImages): Buffer {
  const fitting = [...images].filter(([size]) => size <= icoSizeMax);
  const header = Buffer.alloc(6 + 16 * fitting.length);
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(fitting.length, 4);
  let offset = header.length;
  for (const [index, [size, png]] of fitting.entries()) {
    const entry = 6 + 16 * index;
    header.writeUInt8(size % icoSizeMax, entry);
    header.writeUInt8(size % icoSizeMax, entry + 1);
    header.writeUInt16LE(1, entry + 4);
    header.writeUInt16LE(32, entry + 6);
    header.writeUInt32LE(png.length, entry + 8);
    header.writeUInt32LE(offset, entry + 12);
    offset += png.length;
  }
  return Buffer.concat([header, ...fitting.map(([, png]) => png)]);
}

/** Types of the images with their edges; those for double density have twice the nominal size. */
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

/** ICNS: every block is a type of four letters, its length including this header, and a PNG. */
export function packIcns(images: IconImages): Buffer {
  const block = (name: string, content: Buffer) => {
    const header = Buffer.from(`${name}\0\0\0\0`, 'latin1');
    header.writeUInt32BE(content.length + header.length, 4);
    return Buffer.concat([header, content]);
  };
  return block(
    'icns',
    Buffer.concat(icnsNames.flatMap(([name, size]) => (images.has(size) ? block(name, images.get(size) as Buffer) : []))),
  );
}
