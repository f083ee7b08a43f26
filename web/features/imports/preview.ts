import { type ImportKind, previewImport } from '#contract/imports.ts'
import { read } from '../../calls.ts'

/** Characters of a file sent for the preview: enough for its columns and first rows. */
const HEAD = 100_000

/** Leaves out a character of which only a half would remain: the server would refuse it as wrongly encoded. */
const headOf = (csv: string) => csv.slice(0, HEAD).replace(/[\ud800-\udbff]$/, '')

type Asked = { kind?: ImportKind | undefined; format?: string | undefined }

export const importPreview = (accountId: string, csv: string, { kind, format }: Asked) => ({
  ...read(previewImport, {
    params: { id: accountId },
    body: { csv: headOf(csv), ...(kind && { kind }), ...(format && { format }) },
  }),
  retry: false,
})
