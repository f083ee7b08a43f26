import { z } from 'zod'
import type { Reader, Readers } from '#contract/field-readers.ts'
import { restrictedReaders } from '#contract/readers.ts'

/**
 * The reader of an answer; `as` is null for a caller without a role in the call. `partnerId` is set when they read as a
 * partner or ancestor.
 */
export type FieldReader = { as: Reader | null; partnerId: string | null }

type Sift = (value: unknown, partnerId: string | null) => unknown

/** Removes from a value that has passed its schema the fields this reader may not read. */
export function visibleFields(schema: z.ZodType, value: unknown, { as, partnerId }: FieldReader): unknown {
  const sift = siftOf(schema, as)
  return sift ? sift(value, partnerId) : value
}

// only a cache: the schema determines the result
const known = new WeakMap<z.ZodType, Map<Reader | null, Sift | undefined>>()

/** Built once per schema and reader; undefined if nothing is withheld, so most answers skip the walk. */
function siftOf(schema: z.ZodType, reader: Reader | null): Sift | undefined {
  const byReader = known.get(schema) ?? new Map<Reader | null, Sift | undefined>()
  known.set(schema, byReader)
  if (!byReader.has(reader)) byReader.set(reader, makeSift(schema, reader))
  return byReader.get(reader)
}

function makeSift(schema: z.ZodType, reader: Reader | null): Sift | undefined {
  if (schema instanceof z.ZodObject) return siftOfObject(schema, reader)
  if (schema instanceof z.ZodArray) {
    const sift = siftOf(schema.element as z.ZodType, reader)
    return sift && ((list, partnerId) => (list as unknown[]).map((item) => sift(item, partnerId)))
  }
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) {
    const sift = siftOf(schema.unwrap() as z.ZodType, reader)
    return sift && ((value, partnerId) => value && sift(value, partnerId))
  }
  if (schema instanceof z.ZodUnion) {
    const options = schema.options as z.ZodType[]
    if (!options.some((option) => siftOf(option, reader))) return undefined
    return (value, partnerId) => {
      const option = options.find((one) => one.safeParse(value).success)!
      return visibleFields(option, value, { as: reader, partnerId })
    }
  }
  return undefined
}

function siftOfObject(schema: z.ZodObject, reader: Reader | null): Sift | undefined {
  const readers = restrictedReaders.get(schema)
  if (!readers) return siftOfFields(schema, undefined, reader)
  if (!Object.values(readers.fields).some((named) => reader && named.includes(reader)))
    return () => {
      throw new Error(`${schema.meta()?.id} is not for ${reader ?? 'anyone'} to read`)
    }
  const sift = siftOfFields(schema, readers, reader)
  const { self } = readers
  if (!reader || !['partner', 'partner-member', 'portal'].includes(reader) || !self) return sift
  const asAncestor = siftOfFields(schema, readers, 'ancestor')
  return (value, partnerId) => {
    const as = (value as Record<string, unknown>)[self] === partnerId ? sift : asAncestor
    return as ? as(value, partnerId) : value
  }
}

function siftOfFields(schema: z.ZodObject, readers: Readers | undefined, reader: Reader | null): Sift | undefined {
  const withheld: Record<string, unknown> = {}
  const within: [string, Sift][] = []
  for (const [field, type] of Object.entries(schema.shape) as [string, z.ZodType][]) {
    if (readers && !(reader && readers.fields[field]?.includes(reader))) withheld[field] = blankOf(type, field)
    else {
      const sift = siftOf(type, reader)
      if (sift) within.push([field, sift])
    }
  }
  if (within.length === 0 && Object.keys(withheld).length === 0) return undefined
  return (value, partnerId) => {
    const given = value as Record<string, unknown>
    return {
      ...given,
      ...Object.fromEntries(within.map(([field, sift]) => [field, sift(given[field], partnerId)])),
      ...withheld,
    }
  }
}

/** The replacement for a field that its reader may not read: nothing, else null, else an empty value of its type. */
function blankOf(type: z.ZodType, field: string): unknown {
  const blanks = [undefined, null, [], {}].filter((blank) => type.safeParse(blank).success)
  if (blanks.length === 0) throw new Error(`${field} can not be withheld: it is neither optional nor nullable`)
  return blanks[0]
}
