import {
  type IncomingWebhook,
  type MappedField,
  mappedFields,
  type partnerMatches,
  type transforms,
} from '#contract/incoming-webhooks.ts'
import { basicWords } from '../../words/basic.ts'
import { labelWords } from '../../words/fields.ts'
import { incomingWebhookWords } from '../../words/incoming-webhooks.ts'

/** A target field and its mapping. Rows without a path, or constants without a text, are not sent. */
export type MappingRow = {
  field: string
  path: string
  transform: (typeof transforms)[number]
  default: string
  values: Record<string, string> | null
}
export type Match = { by: (typeof partnerMatches)[number] | null; path: string }

type Hook = Pick<IncomingWebhook, 'target' | 'mapping' | 'partnerMatch' | 'guesses'>

/** Fields that name the partner, which has its own row. */
const NAMING: readonly string[] = ['referralCode', 'partnerId', 'clickId']

/** Refunds and statuses belong to a sale or lead whose partner is already known. */
export const matchesPartner = ({ target }: Pick<Hook, 'target'>) => target === 'lead' || target === 'sale'

/** Returns a row for each field of the target: as saved or, if the webhook has no mapping yet, as guessed. */
export function mappingRows({ target, mapping, guesses }: Hook): MappingRow[] {
  const known = mapping.length > 0 ? mapping : guesses
  const isShown = (field: string) => !NAMING.includes(field) || mapping.some((one) => one.field === field)
  return mappedFields[target].filter(isShown).map((field) => {
    const found = known.find((one) => one.field === field)
    const { default: fallback, values } = found && 'default' in found ? found : { default: null, values: null }
    return { field, path: found?.path ?? '', transform: found?.transform ?? 'none', default: fallback ?? '', values }
  })
}

export function matchOf({ target, mapping, partnerMatch, guesses }: Hook): Match {
  if (partnerMatch || mapping.length > 0) return partnerMatch ?? { by: null, path: '' }
  const guess = guesses.find(({ field }) => field === 'referralCode')
  return guess && matchesPartner({ target }) ? { by: 'referralCode', path: guess.path } : { by: null, path: '' }
}

/** Fills rows the user has not changed with the guesses from a newer sample. */
export function withLaterGuesses(now: MappingValues, before: MappingValues, guessed: MappingValues): MappingValues {
  const untouched = (one: object, other: object | undefined) => JSON.stringify(one) === JSON.stringify(other)
  const of = (rows: readonly MappingRow[], { field }: MappingRow) => rows.find((row) => row.field === field)
  return {
    mapping: now.mapping.map((row) =>
      untouched(row, of(before.mapping, row)) ? (of(guessed.mapping, row) ?? row) : row,
    ),
    partnerMatch: untouched(now.partnerMatch, before.partnerMatch) ? guessed.partnerMatch : now.partnerMatch,
  }
}

export type FilterRow = { path: string; equals: string }

export const MOST_FILTERS = 10
export const NO_FILTER: FilterRow = { path: '', equals: '' }

/** Drops empty rows. */
export const filtersOf = (rows: readonly FilterRow[]) => rows.filter(isUsed)
const isUsed = ({ path, equals }: FilterRow) => path.trim() !== '' || equals.trim() !== ''

/** Requires a path of each used row; `equals` may be empty. */
export const filterMistakes = (rows: readonly FilterRow[]) =>
  Object.fromEntries(
    rows.flatMap((row, at) =>
      isUsed(row) && row.path.trim() === ''
        ? [[`filters.${at}.path`, basicWords.rules.required({ label: incomingWebhookWords.filterPath })]]
        : [],
    ),
  )

export const isGuessed = ({ mapping, guesses }: Hook, { field, path }: Pick<MappingRow, 'field' | 'path'>) =>
  mapping.length === 0 && guesses.some((guess) => guess.field === field && guess.path === path)

/** Returns the path to read from the sample; a constant has none, even if one was typed before. */
export const pathOf = ({ path, transform }: Pick<MappingRow, 'path' | 'transform'>) =>
  transform === 'constant' ? '' : path

const isMapped = ({ path, transform, default: text }: MappingRow) =>
  (transform === 'constant' ? text : path).trim() !== ''

const mappingOf = (rows: readonly MappingRow[]): MappedField[] =>
  rows.filter(isMapped).map(({ path, default: text, ...row }) => ({
    ...row,
    path: pathOf({ ...row, path }) || null,
    default: text || null,
  }))

const partnerMatchOf = ({ by, path }: Match) => (by && path.trim() ? { by, path } : null)

export type MappingValues = { mapping: MappingRow[]; partnerMatch: Match }
export type Sent = { mapping: MappedField[]; partnerMatch: { by: NonNullable<Match['by']>; path: string } | null }

/** Returns the form's values in the contract's form. */
export const sentOf = ({ mapping, partnerMatch }: MappingValues): Sent => ({
  mapping: mappingOf(mapping),
  partnerMatch: partnerMatchOf(partnerMatch),
})

/** Returns messages for missing values, by path. */
export function mappingMistakes({ mapping, partnerMatch }: MappingValues) {
  const missing: Record<string, string> = {}
  for (const [at, row] of mapping.entries()) {
    if (row.transform === 'constant' && row.default.trim() === '')
      missing[`mapping.${at}.default`] = incomingWebhookWords.valueOf({ field: mappingFieldLabel(row.field) })
  }
  if (partnerMatch.by && partnerMatch.path.trim() === '')
    missing['partnerMatch.path'] = incomingWebhookWords.pathOf({ field: labelWords.partner })
  return Object.fromEntries(
    Object.entries(missing).map(([path, label]) => [path, basicWords.rules.required({ label })]),
  )
}

export const mappingFieldLabel = (field: string) =>
  (incomingWebhookWords.fields as Record<string, string>)[field] ?? field

/** Moves the server's messages, which index the rows that were sent, to the rows of the form. */
export function placedAtRows(
  fields: Record<string, string>,
  { mapping, filters }: { mapping: readonly MappingRow[]; filters: readonly FilterRow[] },
) {
  const sent = { mapping: placesOf(mapping, isMapped), filters: placesOf(filters, isUsed) }
  return Object.fromEntries(
    Object.entries(fields).map(([path, message]) => {
      const [, list, at, rest] = /^(mapping|filters)\.(\d+)(.*)$/.exec(path) ?? []
      return [list ? `${list}.${sent[list as keyof typeof sent][Number(at)]}${rest}` : path, message]
    }),
  )
}

const placesOf = <T>(rows: readonly T[], isSent: (row: T) => boolean) =>
  rows.flatMap((row, at) => (isSent(row) ? [at] : []))

/** Moves messages about the fields' values to the rows that map them. */
export function placedByField(fields: Record<string, string>, rows: readonly MappingRow[]) {
  return Object.fromEntries(
    Object.entries(fields).map(([field, message]) => {
      const at = rows.findIndex((row) => row.field === field)
      if (at >= 0) return [`mapping.${at}.${rows[at]?.transform === 'constant' ? 'default' : 'path'}`, message]
      return [NAMING.includes(field) ? 'partnerMatch.path' : field, message]
    }),
  )
}
