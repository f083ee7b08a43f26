import { type ImportKind, importFields, type MappedColumn } from '#contract/imports.ts'
import { commonNames } from './common-names.ts'

/** A file as somebody's export writes it, or as it is thought to. */
export type Format = {
  /** As calls name it. */
  format: string
  name: string
  kind: ImportKind
  sure: 'certain' | 'guess'
  /** Columns that such a file must have to be taken for one; compared without case, spaces, `_` and `-`. */
  marks: readonly string[]
  mapping: readonly MappedColumn[]
}

/** Files that are known by their columns, the surest first. */
export const formats: readonly Format[] = []

export type Guess = { kind: ImportKind | null; format: string; sure: 'certain' | 'guess'; mapping: MappedColumn[] }

/** How a file with these columns would be read: as one that is known, else by what its columns are called. */
export function guessFormat(columns: string[], wanted: ImportKind | null): Guess {
  const names = new Map(columns.map((name) => [plain(name), name]))
  const has = (name: string) => names.has(plain(name))
  const known = formats.find(({ kind, marks }) => (!wanted || kind === wanted) && marks.every(has))
  if (known) {
    const mapping = known.mapping.filter(({ column }) => !column || has(column))
    const named = mapping.map((one) => (one.column ? { ...one, column: names.get(plain(one.column))! } : one))
    return { kind: known.kind, format: known.format, sure: known.sure, mapping: named }
  }
  if (!wanted) return { kind: null, format: 'csv', sure: 'guess', mapping: [] }
  return { kind: wanted, format: 'csv', sure: 'guess', mapping: byNames(wanted, names) }
}

function byNames(kind: ImportKind, names: Map<string, string>): MappedColumn[] {
  const fields: readonly string[] = importFields[kind]
  return fields.flatMap((field) => {
    const column = [field, ...(commonNames[field] ?? [])].map((name) => names.get(plain(name))).find(Boolean)
    return column ? [{ field, column, transform: transformFor[field] ?? 'none', default: null }] : []
  })
}

const transformFor: Partial<Record<string, MappedColumn['transform']>> = {
  amount: 'cents',
  taxAmount: 'cents',
  commission: 'cents',
  saleDate: 'date',
  paidOn: 'date',
}

const plain = (name: string) =>
  name
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, '')
