import { z } from 'zod'
import { Email } from '#contract/values.ts'
import { digestVersions } from './rows.ts'

export const EXPORT_MANIFEST = 'manifest.json'

/** Increased when files of a former release can no longer be read. */
export const EXPORT_FORMAT = 1

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/)

/** The name of a table's file. */
export const exportFileName = ({ name }: { name: string }) => `${name}.csv`

/** `manifest.json`: the expected contents of the other files. */
export const ExportManifest = z.strictObject({
  kind: z.literal('tributary-account'),
  format: z.int(),
  /** Version of the product that wrote it. */
  version: z.string(),
  exportedAt: z.string(),
  account: z.strictObject({ id: z.uuid(), name: z.string().nullable() }),
  /** The person who is invited to own the account after its import. */
  owner: z
    .strictObject({ id: z.uuid(), email: Email, firstName: z.string().nullable(), lastName: z.string().nullable() })
    .nullable(),
  /** Digest of sales, refunds, commission entries and payouts: the same in every install. */
  ledgerDigest: Sha256,
  /** Absent in archives of earlier releases: 1. */
  digestVersion: z.literal(digestVersions).optional(),
  files: z.record(
    z.string(),
    z.strictObject({ rows: z.int().nonnegative(), bytes: z.int().nonnegative(), sha256: Sha256 }),
  ),
})
export type ExportManifest = z.infer<typeof ExportManifest>
