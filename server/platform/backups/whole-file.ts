import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { Transform } from 'node:stream'

// A file that ends with a digest of everything before. The digest is the zip's comment, so that any program can open
// it.

/** Suffix of a backup's name until all of it is on disk. */
export const UNFINISHED = '.part'

const MARK = 'sha256:'
const LENGTH = MARK.length + 64

/** Placeholder at the end of a zip until `createDigestStream` has read the rest. */
export const PLACE_OF_DIGEST = MARK.padEnd(LENGTH, '0')

/** Passes all bytes on but the placeholder, which it replaces by the digest of the rest. */
export function createDigestStream(): Transform {
  const hash = createHash('sha256')
  let end = Buffer.alloc(0)
  return new Transform({
    transform(piece: Buffer, _, done) {
      const all = Buffer.concat([end, piece])
      const known = all.subarray(0, Math.max(0, all.length - LENGTH))
      end = all.subarray(known.length)
      hash.update(known)
      done(null, known)
    },
    flush(done) {
      done(null, MARK + hash.digest('hex'))
    },
  })
}

/** `none`: it does not end with a digest; `other`: its digest is of other bytes. */
export async function checkDigest(file: string): Promise<'right' | 'other' | 'none'> {
  const handle = await open(file)
  try {
    const { size } = await handle.stat()
    if (size <= LENGTH) return 'none'
    const { buffer } = await handle.read(Buffer.alloc(LENGTH), 0, LENGTH, size - LENGTH)
    const trailer = buffer.toString('latin1')
    if (!/^sha256:[0-9a-f]{64}$/.test(trailer)) return 'none'
    const hash = createHash('sha256')
    for await (const piece of createReadStream(file, { end: size - LENGTH - 1, highWaterMark: 1 << 18 }))
      hash.update(piece)
    return trailer === MARK + hash.digest('hex') ? 'right' : 'other'
  } finally {
    await handle.close()
  }
}
