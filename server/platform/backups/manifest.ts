import { createHash, type Hash } from 'node:crypto'
import { z } from 'zod'
import type { Secrets } from '../database/secrets.ts'

export const MANIFEST = 'manifest.json'

/** Rises when files of a former release can no longer be read. */
export const FORMAT = 1

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/)

/** `manifest.json`: the expected contents of the other files, and the requirements to read them. */
export const Manifest = z.strictObject({
  kind: z.literal('tributary-backup'),
  format: z.int(),
  /** Of the product that wrote it. */
  version: z.string(),
  /** The moment that all of it is of. */
  createdAt: z.iso.datetime(),
  /** Of PostgreSQL. */
  server: z.string(),
  /** The schema: every migration that had been applied. */
  migrations: z.array(z.strictObject({ name: z.string(), hash: Sha256 })).min(1),
  /** Sealed with the secret key of the install, which is not in here; null where it was never started. */
  keyCheck: z.base64().nullable(),
  /** The last number that each sequence gave. */
  sequences: z.record(z.string(), z.int()),
  /** Of all tables, and of those that the ledger is made of. */
  digest: Sha256,
  ledgerDigest: Sha256,
  /** Of all that stands here, by the secret key, so that nobody without it changes a backup unseen; of former releases none. */
  signature: z.string().max(100).nullish(),
  tables: z.record(
    z.string(),
    z.strictObject({
      columns: z.array(z.string()),
      rows: z.int().nonnegative(),
      bytes: z.int().nonnegative(),
      sha256: Sha256,
    }),
  ),
})
export type Manifest = z.infer<typeof Manifest>

/** Depends on the content alone, in whatever order it was written; the tables are in it by their digests. */
export function signatureOf(manifest: Manifest, secrets: Secrets): string {
  const ordered = (value: unknown): unknown =>
    value && typeof value === 'object' && !Array.isArray(value)
      ? Object.entries(value)
          .map(([key, one]) => [key, ordered(one)])
          .sort(([one], [other]) => (String(one) < String(other) ? -1 : 1))
      : value
  return secrets.derive('backup', JSON.stringify(ordered({ ...manifest, signature: null })))
}

/** Facts about the text of a table after all of it was read. */
export type Counted = { rows: number; bytes: number; sha256: string }

const LINE_END = 10

/** Reads along: COPY writes a row as a line, and escapes the ends of lines in it. */
export function counting() {
  const hash: Hash = createHash('sha256')
  let [rows, bytes] = [0, 0]
  return {
    add(piece: Buffer) {
      hash.update(piece)
      bytes += piece.length
      for (let at = piece.indexOf(LINE_END); at >= 0; at = piece.indexOf(LINE_END, at + 1)) rows++
    },
    done: (): Counted => ({ rows, bytes, sha256: hash.digest('hex') }),
  }
}

/** One digest of those of some tables, or of all. */
export function digestOf(tables: Manifest['tables'], names = Object.keys(tables)): string {
  const hash = createHash('sha256')
  for (const name of [...names].sort()) hash.update(`${name} ${tables[name]?.sha256}\n`)
  return hash.digest('hex')
}
