import {
  type Import,
  type ImportKind,
  importFields,
  type importTransforms,
  type MappedColumn,
} from '#contract/imports.ts'
import { importWords } from '../../words/imports.ts'

export type Transform = (typeof importTransforms)[number]
export type ImportRow = { field: string; column: string | null; transform: Transform; default: string }

/** Required fields by kind: at least one of each group. */
const needed: Record<ImportKind, readonly (readonly string[])[]> = {
  partners: [['email']],
  leads: [['email', 'phone', 'externalId']],
  sales: [['amount', 'grossAmount'], ['saleDate']],
  payouts: [['partnerEmail', 'referralCode'], ['amount'], ['paidOn']],
}

const texts: readonly Transform[] = ['none', 'lowercase', 'constant']
const amounts: readonly Transform[] = ['cents', 'number', 'constant']
const days: readonly Transform[] = ['date', 'day-first-date', 'constant']
const choices: Partial<Record<string, readonly Transform[]>> = {
  amount: amounts,
  grossAmount: amounts,
  taxAmount: amounts,
  shippingAmount: amounts,
  commission: amounts,
  saleDate: days,
  paidOn: days,
  firstName: ['none', 'first-name', 'constant'],
  lastName: ['none', 'last-name', 'constant'],
  commissionStatus: ['none', 'paid-or-not', 'constant'],
}

/** Returns the field's transforms, the default first; includes the one a saved mapping uses. */
export const listTransforms = ({ field, transform }: ImportRow): readonly Transform[] => {
  const usual = choices[field] ?? texts
  return usual.includes(transform) ? usual : [...usual, transform]
}

/** Returns a row for every field of the kind, prefilled if a column of the file is mapped to it. */
export const importRows = (kind: ImportKind, mapping: readonly MappedColumn[]): ImportRow[] =>
  importFields[kind].map((field) => {
    const one = mapping.find((mapped) => mapped.field === field)
    const usual = choices[field]?.[0] ?? 'none'
    return one ? { ...one, default: one.default ?? '' } : { field, column: null, transform: usual, default: '' }
  })

export const isFilled = ({ column, transform, default: value }: ImportRow) =>
  transform === 'constant' ? value.trim() !== '' : column !== null

/** Returns the mapping in the contract's form. */
export const toMapping = (rows: readonly ImportRow[]): MappedColumn[] =>
  rows
    .filter(isFilled)
    .map((row) => ({ ...row, column: row.transform === 'constant' ? null : row.column, default: row.default || null }))

const labels = (fields: readonly string[]) => fields.map(importFieldLabel).join(importWords.or)

export function importFieldLabel(field: string): string {
  // of several values in a cell, a message may be about one
  return (importWords.fields as Record<string, string>)[field.split('.')[0]!] ?? field
}

export const isNeeded = (kind: ImportKind, field: string) => needed[kind].find((group) => group.includes(field))

/** Returns a message for each required group that is not mapped yet. */
export const findMissing = (kind: ImportKind, rows: readonly ImportRow[]): string[] =>
  needed[kind]
    .filter((group) => !rows.some((row) => group.includes(row.field) && isFilled(row)))
    .map((group) => importWords.missing({ fields: labels(group) }))

export const isOfFile = (kind: Import['kind']): kind is ImportKind => kind !== 'past-sales'
