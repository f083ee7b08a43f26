import { createHash, type Hash } from 'node:crypto'
import { z } from 'zod'
import type { Secrets } from '../database/secrets.ts'

export const BACKUP_MANIFEST = 'manifest.json'

/** Increased when files of a former release can no longer be read. */
export const BACKUP_FORMAT = 1

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/)

/** `manifest.json`: the expected contents of the other files, and the requirements for reading them. */
export const BackupManifest = z.strictObject({
  kind: z.literal('tributary-backup'),
  format: z.int(),
  /** Version of the product that wrote it. */
  version: z.string(),
  /** The moment of the snapshot. */
  createdAt: z.iso.datetime(),
  /** Version of PostgreSQL. */
  server: z.string(),
  /** The schema: every applied migration. */
  migrations: z.array(z.strictObject({ name: z.string(), hash: Sha256 })).min(1),
  /** Sealed with the secret key of the install, which is not included; null if it was never started. */
  keyCheck: z.base64().nullable(),
  /** The last value of each sequence. */
  sequences: z.record(z.string(), z.int()),
  /** Digests of all tables, and of the ledger's. */
  digest: Sha256,
  ledgerDigest: Sha256,
  /** Signature of the manifest by the secret key, so that a change without it is detected; none in former releases. */
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
export type BackupManifest = z.infer<typeof BackupManifest>

/** Computes the signature, which depends only on the content, not its order; it covers the tables by their digests. */
export function signManifest(manifest: BackupManifest, secrets: Secrets): string {
  const ordered = (value: unknown): unknown =>
    value && typeof value === 'object' && !Array.isArray(value)
      ? Object.entries(value)
          .map(([key, one]) => [key, ordered(one)])
          .sort(([one], [other]) => (String(one) < String(other) ? -1 : 1))
      : value
  return secrets.derive('backup', JSON.stringify(ordered({ ...manifest, signature: null })))
}

/** Facts about a table's text, known after reading all of it. */
export type TableDigest = { rows: number; bytes: number; sha256: string }

const LINE_END = 10

/** Counts while reading: COPY writes a row as a line, with line ends escaped. */
export function createRowCounter() {
  const hash: Hash = createHash('sha256')
  let [rows, bytes] = [0, 0]
  return {
    add(piece: Buffer) {
      hash.update(piece)
      bytes += piece.length
      for (let at = piece.indexOf(LINE_END); at >= 0; at = piece.indexOf(LINE_END, at + 1)) rows++
    },
    done: (): TableDigest => ({ rows, bytes, sha256: hash.digest('hex') }),
  }
}

/** Returns one digest of the digests of some tables, or of all. */
export function combineDigests(tables: BackupManifest['tables'], names = Object.keys(tables)): string {
  const hash = createHash('sha256')
  for (const name of [...names].sort()) hash.update(`${name} ${tables[name]?.sha256}\n`)
  return hash.digest('hex')
}
