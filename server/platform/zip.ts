import { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import { type Entry, fromBufferPromise, openPromise } from 'yauzl'
import { ZipFile } from 'yazl'

/** A file to pack; its pieces are read once the file before it is packed. */
export type FileToPack = { name: string; pieces(): Iterable<Buffer> | AsyncIterable<Buffer> }

type Options = { mtime?: Date; compressionLevel?: number; forceZip64Format?: boolean; comment?: string }

/** Packs files one after another, no faster than `write` accepts the zip. Fails if reading one or writing does. */
export async function packZip(
  files: FileToPack[],
  write: (packed: Readable) => Promise<unknown>,
  { comment = '', ...options }: Options = {},
) {
  const zip = new ZipFile()
  const packed = zip.outputStream as Readable
  let reading: Readable | undefined
  for (const { name, pieces } of files)
    zip.addReadStreamLazy(name, options, (take) => {
      reading = Readable.from(pieces(), { objectMode: false })
      // the packer does not notice that a file was aborted
      reading.once('error', (error) => packed.destroy(error))
      take(null, reading)
    })
  zip.end({ comment, forceZip64Format: false })
  try {
    await write(packed)
  } finally {
    // nor that the rest is not read
    reading?.destroy()
  }
}

export type OpenZip = {
  entries: ReadonlyMap<string, Entry>
  /** Yields a file, at most of the size that the zip declares. Fails at its end if its checksum is another. */
  read(name: string): AsyncGenerator<Buffer>
  /** Parses a file of at most `mostBytes`; null if there is none, it is longer or no JSON. */
  readJson(name: string, mostBytes: number): Promise<unknown>
  close(): void
}

/** A zip that names one file twice. */
export class TwiceInZip extends Error {}

/**
 * Opens a zip, by its path or as its bytes. Fails if it is none, has more entries than `mostEntries`, or names one twice
 * (`TwiceInZip`).
 */
export async function openZip(file: string | Buffer, mostEntries = Infinity): Promise<OpenZip> {
  const options = { autoClose: false, lazyEntries: true }
  const zip = await (typeof file === 'string' ? openPromise(file, options) : fromBufferPromise(file, options))
  const entries = new Map<string, Entry>()
  try {
    if (zip.entryCount > mostEntries) throw new Error(`The zip has ${zip.entryCount} entries`)
    for await (const entry of zip.eachEntry()) {
      if (entries.has(entry.fileName)) throw new TwiceInZip(entry.fileName)
      entries.set(entry.fileName, entry)
    }
  } catch (error) {
    zip.close()
    throw error
  }
  async function* read(name: string): AsyncGenerator<Buffer> {
    const entry = entries.get(name)!
    let sum = 0
    for await (const piece of (await zip.openReadStreamPromise(entry)) as AsyncIterable<Buffer>) {
      sum = crc32(piece, sum)
      yield piece
    }
    if (sum !== entry.crc32) throw new Error(`${name} is damaged`)
  }
  return {
    entries,
    read,
    async readJson(name, mostBytes) {
      if ((entries.get(name)?.uncompressedSize ?? Infinity) > mostBytes) return null
      const text = Buffer.concat(await Array.fromAsync(read(name))).toString('utf8')
      try {
        return JSON.parse(text)
      } catch {
        return null
      }
    },
    close: () => zip.close(),
  }
}
