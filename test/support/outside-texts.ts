import { z } from 'zod'
import { EmbeddedClick, EmbeddedLead, KeptReference, ReportedEmbedCheck } from '#features/embed/contract.ts'
import { NewPushedClick } from '../../contract/clicks.ts'
import { endpoints } from '../../contract/index.ts'
import { NewPushedLead } from '../../contract/leads.ts'
import { NewPushedRefund, NewPushedSale } from '../../contract/sales.ts'

// One process reads texts from strangers for all accounts, so each text has a limit, checked before any work whose cost
// grows with the square of its length.

/** Every input from outside with its maximum bytes. */
export const taken: [string, z.ZodType, number][] = [
  ...endpoints.flatMap(({ name, params, query, body, maxBytes = 256_000 }): [string, z.ZodType, number][] => [
    ...(params ? [[`path of ${name}`, params, 8000] as [string, z.ZodType, number]] : []),
    ...(query ? [[`query of ${name}`, query, 8000] as [string, z.ZodType, number]] : []),
    ...(body ? [[name, body, maxBytes] as [string, z.ZodType, number]] : []),
  ]),
  ['a pushed lead', NewPushedLead, 1_000_000],
  ['a pushed sale', NewPushedSale, 1_000_000],
  ['a pushed refund', NewPushedRefund, 1_000_000],
  ['a pushed click', NewPushedClick, 1_000_000],
  ['a lead of the script', EmbeddedLead, 16_000],
  ['a click of the script', EmbeddedClick, 16_000],
  ['what the script keeps', KeptReference, 16_000],
  ['a check of the script', ReportedEmbedCheck, 16_000],
]

/** Returns the parts of a schema with the names of its fields. */
export function listSchemaParts(schema: z.core.$ZodType): [string, z.core.$ZodType][] {
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'object':
      return Object.entries(def.shape).map(([key, inner]) => [`.${key}`, inner])
    case 'array':
      return [['[]', def.element]]
    case 'record':
      return [
        ['{key}', def.keyType],
        ['{}', def.valueType],
      ]
    case 'union':
      return def.options.map((option) => ['', option])
    case 'pipe':
      return [['', def.in]]
    default:
      return 'innerType' in def ? [['', def.innerType]] : []
  }
}

export function textsIn(schema: z.core.$ZodType, path: string): [string, number | null][] {
  if (schema instanceof z.ZodString || schema instanceof z.ZodStringFormat) return [[path, schema.maxLength]]
  const inside = listSchemaParts(schema).flatMap(([name, inner]) => textsIn(inner, path + name))
  const { def } = (schema as z.core.$ZodTypes)._zod
  // a text that is only trimmed has the limit of the schema it is piped to
  if (def.type !== 'pipe' || inside.every(([, most]) => most !== null)) return inside
  const handedTo = textsIn(def.out, path)
  return handedTo.length > 0 ? handedTo : inside
}
