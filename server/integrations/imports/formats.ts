import { type ImportKind, importFields, type MappedColumn } from '#contract/imports.ts'
import {
  addressNames,
  buyerNames,
  commonNames,
  idNames,
  saleAmountNames,
  totalNames,
  wholeNames,
} from './column-names.ts'
import { type Format, formats } from './known-formats.ts'

export { formats }

export type FormatGuess = {
  kind: ImportKind | null
  format: string
  confidence: 'certain' | 'guess'
  mapping: MappedColumn[]
}

/**
 * Guesses how a file with these columns is read: as a known format, else by its column names. `from`: one of this
 * program's, or for `csv` none.
 */
export function guessFormat(columns: string[], wanted: ImportKind | null, from: string | null = null): FormatGuess {
  const names = namesOf(columns)
  const ofKind = formats.filter(({ kind, format }) => (!wanted || kind === wanted) && (!from || format === from))
  const known = ofKind.find((format) => fits(format, columns, (name) => names.has(plain(name))))
  const taken = known ?? (from && wanted ? mostAlike(ofKind, names) : undefined)
  if (taken) {
    const mapping = mappingOf(taken, names)
    const { kind, format } = taken
    const confidence = known ? known.confidence : 'guess'
    // the owner may have added a column of codes to any file
    const isOther = (field: string) => (confidence === 'certain' ? field === 'earlierCodes' : field !== 'group')
    const others = byNames(kind, names).filter(({ field }) => isOther(field))
    return { kind, format, confidence, mapping: withOthers(mapping, others) }
  }
  const format = from ?? 'csv'
  if (!wanted) return { kind: null, format, confidence: 'guess', mapping: [] }
  return { kind: wanted, format, confidence: 'guess', mapping: byNames(wanted, names) }
}

/** Returns the program's format with most of these columns. */
const mostAlike = (of: Format[], names: Map<string, string>) =>
  of.toSorted((one, other) => mappingOf(other, names).length - mappingOf(one, names).length)[0]

const fits = ({ kind, confidence, marks, exact }: Format, columns: string[], has: (name: string) => boolean) =>
  marks.every(has) &&
  (!exact || columns.length === marks.length) &&
  !(kind === 'payouts' && confidence === 'guess' && buyerNames.some(has))

/** Maps each field to the first existing of its possible columns. */
function mappingOf({ mapping }: Format, names: Map<string, string>): MappedColumn[] {
  const there = mapping.flatMap((one) => {
    const column = names.get(plain(one.column!))
    return column ? [{ ...one, column }] : []
  })
  return there.filter(({ field }, at) => there.findIndex((one) => one.field === field) === at)
}

/** Adds other column names; never a group of another program, which has none here. */
const withOthers = (mapping: MappedColumn[], others: MappedColumn[]) => [
  ...mapping,
  ...others.filter((one) => mapping.every(({ field, column }) => field !== one.field && column !== one.column)),
]

/** Columns by normalized name. */
const namesOf = (columns: string[]) => new Map(columns.map((name) => [plain(name), name]))

/** Maps columns by name, each to one field. */
function byNames(kind: ImportKind, names: Map<string, string>): MappedColumn[] {
  const fields: readonly string[] = importFields[kind]
  const taken = new Set<string>()
  const isAddressed = addressNames.some((name) => names.has(plain(name)))
  const namesOfField = (field: string) => {
    if (field === 'state') return [...commonNames.state!, ...(isAddressed ? [] : [field])]
    return [
      ...(field === 'amount' && kind === 'sales' ? saleAmountNames : []),
      field,
      ...(field === 'externalId' ? idNames[kind] : (commonNames[field] ?? [])),
    ]
  }
  const has = (field: string) => namesOfField(field).some((name) => names.has(plain(name)))
  const totalOf =
    kind === 'sales' && !has('amount') && (has('taxAmount') || has('shippingAmount')) ? 'grossAmount' : 'amount'
  const isWhole = !has('firstName') && !has('lastName')
  return fields.flatMap((field) => {
    const wholeName = isWhole && wholeNames.map((name) => names.get(plain(name))).find((one) => one)
    if (wholeName && (field === 'firstName' || field === 'lastName')) {
      const transform = field === 'firstName' ? ('first-name' as const) : ('last-name' as const)
      return [{ field, column: wholeName, transform, default: null }]
    }
    const known = [...namesOfField(field), ...(field === totalOf ? totalNames : [])]
    const column = known.map((name) => names.get(plain(name))).find((one) => one && !taken.has(one))
    if (!column) return []
    taken.add(column)
    return [{ field, column, transform: transformFor[field] ?? 'none', default: null }]
  })
}

const transformFor: Partial<Record<string, MappedColumn['transform']>> = {
  amount: 'cents',
  grossAmount: 'cents',
  taxAmount: 'cents',
  shippingAmount: 'cents',
  commission: 'cents',
  saleDate: 'date',
  paidOn: 'date',
}

/** Removes case, spaces and punctuation: `Affiliate Email`, `affiliate_email` and `!AFFILIATEEMAIL` are equal. */
const plain = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '') || name
