import { type ImportKind, previewImport } from '#contract/imports.ts'
import { apiQuery } from '../../calls.ts'
import { inBase64, type ReadFile } from '../../ui/read-file.ts'

/** Characters of a file sent for the preview: enough for its columns and first rows. */
const HEAD = 100_000

/** Leaves out a character of which only a half would remain: the server would refuse it as wrongly encoded. */
export const truncateToHead = (csv: string) => csv.slice(0, HEAD).replace(/[\ud800-\udbff]$/, '')

/** A file as it is sent: its text, or its bytes in base64. */
export type Content = { csv: string } | { file: string; encoding?: string }

/** Returns what is sent of a file: its text if it is Unicode, else its bytes. */
export function toContent({ csv, zip, bytes, encoding }: ReadFile): Content {
  if (zip) return { file: zip }
  return bytes ? { file: inBase64(bytes), encoding: encoding! } : { csv }
}

/** The choices of the person; the rest is found. */
export type Asked = {
  kind?: ImportKind | undefined
  format?: string | undefined
  sheet?: string | undefined
  headerRow?: number | undefined
}

/** A file as it was taken, with its number. */
export type Given = { csv: string; file: ReadFile | null; content: Content; count: number }

/** The preview of a text by its head, or of a workbook. Files are compared by their numbers, as they may be long. */
export const importPreviewQuery = (accountId: string, { csv, file, content, count }: Given, asked: Asked) => ({
  ...apiQuery(previewImport, {
    params: { id: accountId },
    body: { ...(file?.zip ? content : { csv: truncateToHead(csv) }), ...asked },
  }),
  queryKey: [previewImport.name, accountId, count, asked],
  retry: false,
})
