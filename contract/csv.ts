import { z } from 'zod'
import type { Endpoint, TeamRole } from './endpoint.ts'
import { Amount, AmountEach } from './values.ts'

/** A column of a list's file: its path in an item, and whether people typed its values. */
export type CsvColumn = {
  name: string
  path: readonly string[]
  kind: 'text' | 'plain' | 'money' | 'codes' | 'json'
  /** Path of an amount's currency in the item; absent if it is the account's. */
  currency?: readonly string[]
}

type ListEndpoint = Endpoint<z.ZodType, z.ZodType, z.ZodType, z.ZodType<{ items: unknown[] }>>

/** A call that returns a list, with its filters and sort, as a file with all rows. */
export type CsvEndpoint<L extends ListEndpoint = ListEndpoint, Asked extends z.ZodRawShape = z.ZodRawShape> = Endpoint<
  NonNullable<L['params']>,
  z.ZodType<
    CsvQuery<z.output<NonNullable<L['query']>>> & z.output<z.ZodObject<Asked>>,
    CsvQuery<z.input<NonNullable<L['query']>>, string> & z.input<z.ZodObject<Asked>>
  >,
  z.ZodUndefined,
  z.ZodUndefined
> & {
  method: 'GET'
  list: L
  columns: readonly CsvColumn[]
  columnNames: readonly string[]
  /** Names of the default columns. */
  usualNames: readonly string[]
  usualColumns: readonly CsvColumn[]
  file: string
}

type CsvQuery<Q, Columns = string[]> = Omit<Q, 'limit' | 'cursor'> & { columns?: Columns | undefined }

/** Counted per user, since a file reads a whole list. */
export const csvLimit = { name: 'csv', perMinute: 6, by: 'user' } as const

type File<Asked extends z.ZodRawShape> = {
  summary: string
  /** Names the file, as in `partners.csv`. */
  file: string
  /** Its columns in order; every scalar field of an item by default. */
  fields?: readonly string[]
  /** Columns included only on request. */
  more?: readonly string[]
  /** Fields of an item that no column has. */
  without?: readonly string[]
  /** Query parameters beyond those of the list. */
  query?: Asked
  /** Roles that may download it with this query, if not all of the list's. */
  allowOf?(asked: { query: z.output<z.ZodObject<Asked>> }): readonly TeamRole[]
}

/**
 * Declares the file of a list: `downloadLeads` of `listLeads`, at the list's path plus `/csv`, for the list's callers,
 * each column a field of its items. `columns` selects and orders them.
 */
export function csvEndpoint<L extends ListEndpoint, Asked extends z.ZodRawShape = Record<never, never>>(
  list: L,
  { summary, file, fields, more = [], without = [], query: asked, allowOf }: File<Asked>,
): CsvEndpoint<L, Asked> {
  const name = list.name.replace(/^list/, 'download')
  const all = columnsOf(itemOf(list)).filter(({ path: [field] }) => !without.includes(field!))
  const called = (field: string) => {
    const column = all.find((one) => one.name === field)
    if (!column) throw new Error(`${name} names ${field}, which ${list.name} does not answer`)
    return column
  }
  const usualColumns =
    fields?.map(called) ?? all.filter(({ kind, name }) => kind !== 'json' && kind !== 'codes' && !more.includes(name))
  const columns = [...usualColumns, ...more.map(called)]
  const names = columns.map((column) => column.name)
  const chosen = z
    .string()
    .max(4000)
    .transform((value) => value.split(','))
    .refine((some) => some.every((one) => names.includes(one)), `Choose from ${names.join(', ')}`)
    .refine((some) => new Set(some).size === some.length, 'Name each column once')
    .optional()
    .meta({ type: 'array', items: { type: 'string', enum: [...names] }, maxLength: undefined })
  const query = (list.query as unknown as z.ZodObject)
    .omit({ limit: true, cursor: true })
    .extend({ columns: chosen, ...asked })
  const { allow, subject, params, tag, whileDisabled, inPerson } = list
  return {
    name,
    method: 'GET',
    path: `${list.path}/csv`,
    summary,
    allow,
    ...(allowOf && { allowOf: allowOf as never }),
    ...(inPerson && { inPerson }),
    ...(subject && { subject }),
    ...(tag && { tag }),
    ...(whileDisabled && { whileDisabled }),
    ...(params && { params }),
    limit: csvLimit,
    query,
    produces: 'text/csv',
    list,
    columns,
    columnNames: names,
    usualNames: usualColumns.map((column) => column.name),
    usualColumns,
    file,
  } as unknown as CsvEndpoint<L, Asked>
}

const itemOf = ({ reply }: ListEndpoint) =>
  ((reply as unknown as z.ZodObject).shape.items as z.ZodArray<z.ZodObject>).element

type Place = { path: readonly string[]; currency: readonly string[] | undefined }

/**
 * Returns an item's columns. Figures keep their own names; fields of other nested objects are prefixed, as in
 * `actorName`.
 */
function columnsOf(item: z.ZodObject, { path, currency }: Place = { path: [], currency: undefined }): CsvColumn[] {
  const own = currencyIn(item, path) ?? currency
  return Object.entries(item.shape).flatMap(([field, schema]) => {
    const type = bare(schema as z.ZodType)
    const here = [...path, field]
    if (type instanceof z.ZodObject) return columnsOf(type, { path: here, currency: own })
    const kind = kindOf(type)
    const ofAccount = field.startsWith('account') && 'accountCurrency' in item.shape
    // amounts of an object may be in currencies of their own: `fee` in `feeCurrency`
    const itsOwn = `${field}Currency` in item.shape ? [...path, `${field}Currency`] : own
    const its = ofAccount ? [...path, 'accountCurrency'] : itsOwn
    return { name: nameOf(here), path: here, kind, ...(kind === 'money' && its && { currency: its }) }
  })
}

/** Returns the path of the currency of an object's amounts: its own, or its figures'. */
function currencyIn({ shape }: z.ZodObject, path: readonly string[]): string[] | undefined {
  const own = ['currency', 'defaultCurrency'].find((field) => field in shape)
  if (own) return [...path, own]
  return shape.stats instanceof z.ZodObject ? currencyIn(shape.stats, [...path, 'stats']) : undefined
}

const nameOf = (path: readonly string[]) =>
  path
    .filter((part) => part !== 'stats')
    .map((part, at) => (at === 0 ? part : part[0]!.toUpperCase() + part.slice(1)))
    .join('')

function kindOf(type: z.ZodType): CsvColumn['kind'] {
  if (type === Amount || type === AmountEach) return 'money'
  if (type instanceof z.ZodNumber || type instanceof z.ZodBoolean || type instanceof z.ZodEnum) return 'plain'
  // an instant or a date; other strings may contain typed text
  if (type instanceof z.ZodISODateTime || type instanceof z.ZodISODate) return 'plain'
  if (type instanceof z.ZodArray && type.element instanceof z.ZodObject && 'code' in type.element.shape) return 'codes'
  return type instanceof z.ZodString ? 'text' : 'json'
}

const bare = (schema: z.ZodType): z.ZodType =>
  schema instanceof z.ZodNullable || schema instanceof z.ZodOptional ? bare(schema.unwrap() as z.ZodType) : schema
