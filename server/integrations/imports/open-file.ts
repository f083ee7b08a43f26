import { isZip, textOfFile } from '#contract/file-text.ts'
import { MOST_CHARACTERS, type NewImport } from '#contract/imports.ts'
import { csvLines } from '../../platform/csv/csv.ts'
import { HEAD, type Layout } from '../../platform/csv/read-csv.ts'
import { refusal, wrongField } from '../../platform/refusal.ts'
import { openWorkbook, type Workbook } from '../../platform/xlsx/read-workbook.ts'

/** A file as text, and how it was read; a sheet of a workbook has its delimiter given. */
export type OpenedFile = {
  csv: string
  layout: Partial<Layout>
  encoding: string | null
  sheet: string | null
  sheets: string[]
}

type Sent = Pick<NewImport, 'csv' | 'file' | 'encoding' | 'sheet' | 'headerRow'>

/**
 * Opens a file that was sent as text or as bytes; of a workbook only the beginning of the sheet if that is enough.
 * Refuses: one that can't be read, and a sheet with too much text.
 */
export async function openFile({ csv, file, encoding, sheet, headerRow }: Sent, only?: 'head'): Promise<OpenedFile> {
  const given = { layout: headerRow ? { headerRow } : {}, encoding: null, sheet: null, sheets: [] }
  if (csv !== undefined) return { ...given, csv }
  const bytes = Buffer.from(file!, 'base64')
  // signs that are no base64 are left out
  if (bytes.length < Buffer.byteLength(file!, 'base64')) throw wrongField('file', 'import_not_encoded')
  if (isOldWorkbook(bytes)) throw refusal('import_other_workbook')
  if (!isZip(bytes)) {
    const read = textOfFile(bytes, encoding)
    return { ...given, csv: read.text, encoding: read.encoding }
  }
  const workbook = await openWorkbook(bytes)
  try {
    const { sheets } = workbook
    const name = sheet ?? sheets[0]!
    const text = await sheetText(workbook, name, only)
    return { ...given, csv: text, layout: { ...given.layout, delimiter: ',' }, sheet: name, sheets }
  } finally {
    workbook.close()
  }
}

/** Workbooks before .xlsx, and those with a password. */
const isOldWorkbook = (bytes: Buffer) => bytes.subarray(0, 4).equals(Buffer.from([0xd0, 0xcf, 0x11, 0xe0]))

/** Returns a sheet as comma-separated values; rows that it leaves out are empty lines. */
async function sheetText({ rowsOf }: Workbook, sheet: string, only: 'head' | undefined): Promise<string> {
  const parts: string[] = []
  let [length, line] = [0, 0]
  for await (const { row, cells } of rowsOf(sheet)) {
    const text = '\r\n'.repeat(Math.max(0, row - line - 1)) + csvLines([cells.map((text) => ({ text }))])
    parts.push(text)
    length += text.length
    line = Math.max(row, line + 1)
    if (length > MOST_CHARACTERS) throw refusal('import_sheet_too_long')
    if (only && length > HEAD) break
  }
  return parts.join('')
}
