import type { JsonSchema } from '../../server/platform/http/json-schema.ts'

/** Converts a JSON Schema of the document to a TypeScript type; `indent` is that of its first line. */
export function toType(schema: JsonSchema, indent = ''): string {
  const { $ref, const: fixed, enum: values, anyOf, oneOf, allOf, type } = schema as Known
  if ($ref) return schemaName($ref)
  if ('const' in schema) return JSON.stringify(fixed)
  if (values) return values.map((value) => JSON.stringify(value)).join(' | ')
  const either = anyOf ?? oneOf
  if (either) return [...new Set(either.map((one) => toType(one, indent)))].join(' | ')
  if (allOf) return allOf.map((one) => inParentheses(toType(one, indent))).join(' & ')
  if (Array.isArray(type)) return type.map((one) => toType({ ...schema, type: one }, indent)).join(' | ')
  if (type === 'array') return `${inParentheses(toType((schema as Known).items ?? {}, indent))}[]`
  if (type === 'object') return objectOf(schema as Known, indent)
  return plain[type ?? ''] ?? 'unknown'
}

type Known = {
  $ref?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  allOf?: JsonSchema[]
  type?: string | string[]
  items?: JsonSchema
  properties?: Record<string, JsonSchema>
  required?: string[]
  additionalProperties?: boolean | JsonSchema
}

const plain: Record<string, string> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
}

function objectOf({ properties, required = [], additionalProperties }: Known, indent: string): string {
  if (!properties)
    return `Record<string, ${typeof additionalProperties === 'object' ? toType(additionalProperties, indent) : 'unknown'}>`
  const inside = `${indent}  `
  const lines = Object.entries(properties).flatMap(([name, schema]) => [
    ...formatComment(schema.description, inside),
    `${inside}${propertyName(name)}${required.includes(name) ? '' : '?'}: ${toType(schema, inside)}`,
  ])
  return lines.length ? ['{', ...lines, `${indent}}`].join('\n') : '{}'
}

export const schemaName = (reference: string) => reference.replace('#/components/schemas/', '')

export const formatComment = (text: unknown, indent: string) =>
  typeof text === 'string' ? [`${indent}/** ${text.replaceAll('*/', '* /')} */`] : []

export const propertyName = (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name))

const inParentheses = (type: string) => (/ [|&] /.test(type) && !type.startsWith('{') ? `(${type})` : type)
