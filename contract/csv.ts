import { z } from 'zod'
import type { Endpoint } from './endpoint.ts'
import { Amount } from './values.ts'

/** A column of a list's file: where it stands in an item, and whether people typed it. */
export type CsvColumn = { name: string; path: readonly string[]; kind: 'text' | 'plain' | 'money' | 'json' }

type ListEndpoint = Endpoint<z.ZodType, z.ZodType, z.ZodType, z.ZodType<{ items: unknown[] }>>

/** A call that answers a list, with its filters and sort, as a file with all rows. */
export type CsvEndpoint<L extends ListEndpoint = ListEndpoint> = Endpoint<
  NonNullable<L['params']>,
  z.ZodType<CsvQuery<z.output<NonNullable<L['query']>>>, CsvQuery<z.input<NonNullable<L['query']>>, string>>,
  z.ZodUndefined,
  z.ZodUndefined
> & { method: 'GET'; list: L; columns: readonly CsvColumn[]; columnNames: readonly string[]; file: string }

type CsvQuery<Q, Columns = string[]> = Omit<Q, 'limit' | 'cursor'> & { columns?: Columns | undefined }

/** Of each user: a file reads a whole list. */
export const csvLimit = { name: 'csv', perMinute: 6, by: 'user' } as const

/**
 * The file of a list: at the list's path with `/csv` behind it, for whoever may call the list, each column a scalar field
 * of its items. `columns` chooses among them and says their order. `file` names it, as in `partners-2026-01-31.csv`.
 */
export function csvOf<L extends ListEndpoint>(
  list: L,
  { name, summary, file, fields }: { name: string; summary: string; file: string; fields?: readonly string[] },
): CsvEndpoint<L> {
  const all = columnsOf(itemOf(list))
  const columns = fields ? fields.map((field) => all.find((column) => column.name === field)!) : all
  if (columns.includes(undefined as never)) throw new Error(`${name} names a column that ${list.name} does not answer`)
  const names = columns.map((column) => column.name)
  const chosen = z
    .string()
    .transform((value) => value.split(','))
    .refine((some) => some.every((one) => names.includes(one)), `Choose from ${names.join(', ')}`)
    .refine((some) => new Set(some).size === some.length, 'Name each column once')
    .optional()
    .meta({ type: 'array', items: { type: 'string', enum: [...names] } })
  const query = (list.query as unknown as z.ZodObject).omit({ limit: true, cursor: true }).extend({ columns: chosen })
  const { allow, subject, params, tag, whileDisabled } = list
  return {
    name,
    method: 'GET',
    path: `${list.path}/csv`,
    summary,
    allow,
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
    file,
  } as unknown as CsvEndpoint<L>
}

const itemOf = ({ reply }: ListEndpoint) =>
  ((reply as unknown as z.ZodObject).shape.items as z.ZodArray<z.ZodObject>).element

/** Figures stand under their own names; of another object inside an item, the names say whose they are: `actorName`. */
function columnsOf(item: z.ZodObject, path: readonly string[] = []): CsvColumn[] {
  return Object.entries(item.shape).flatMap(([field, schema]) => {
    const type = bare(schema as z.ZodType)
    const here = [...path, field]
    if (type instanceof z.ZodObject) return columnsOf(type, here)
    return { name: nameOf(here), path: here, kind: kindOf(type) }
  })
}

const nameOf = (path: readonly string[]) =>
  path
    .filter((part) => part !== 'stats')
    .map((part, at) => (at === 0 ? part : part[0]!.toUpperCase() + part.slice(1)))
    .join('')

function kindOf(type: z.ZodType): CsvColumn['kind'] {
  if (type === Amount) return 'money'
  if (type instanceof z.ZodNumber || type instanceof z.ZodBoolean || type instanceof z.ZodEnum) return 'plain'
  // an instant or a date; other strings may hold what people typed
  if (type instanceof z.ZodISODateTime || type instanceof z.ZodISODate) return 'plain'
  return type instanceof z.ZodString ? 'text' : 'json'
}

const bare = (schema: z.ZodType): z.ZodType =>
  schema instanceof z.ZodNullable || schema instanceof z.ZodOptional ? bare(schema.unwrap() as z.ZodType) : schema
