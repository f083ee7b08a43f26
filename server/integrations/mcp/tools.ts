import type { Endpoint } from '#contract/endpoint.ts'
import { endpoints } from '#contract/index.ts'
import { createSchemaConverter, type JsonSchema } from '../../platform/http/json-schema.ts'
import { pathParameters, queryParameters } from '../../platform/http/openapi.ts'

export type Tool = { name: string; call: Endpoint; description: string; inputSchema: JsonSchema & { type: 'object' } }

/** The calls an assistant may make, by the names of their tools: each only reads. */
export const tools: ReadonlyMap<string, Tool> = new Map(
  endpoints
    .filter(({ tool }) => tool)
    .map((call) => {
      const name = call.name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
      return [name, { name, call, description: `${call.summary}.`, inputSchema: schemaOf(call) }]
    }),
)

/** Combines the parameters of the call's path, its query and its body into a tool's arguments. */
function schemaOf(call: Endpoint): Tool['inputSchema'] {
  const converter = createSchemaConverter()
  const parameters = [...pathParameters(call, converter), ...queryParameters(call, converter)].map(
    (parameter: { name: string; schema: object; description?: string; required: boolean }) => ({
      ...parameter,
      description: parameter.description ?? wordsOf(call, parameter.name),
    }),
  )
  const input = call.body ? converter.convert(call.body, 'input') : {}
  const body = inlined(input, converter.components()) as { properties?: JsonSchema; required?: string[] }
  return {
    type: 'object',
    properties: {
      ...Object.fromEntries(
        parameters.map(({ name, schema, description }) => [name, { ...schema, ...(description && { description }) }]),
      ),
      ...body.properties,
    },
    required: [...parameters.filter(({ required }) => required).map(({ name }) => name), ...(body.required ?? [])],
    additionalProperties: false,
  }
}

/** Puts shared schemas in the place of their references, which assistants need not resolve. */
function inlined(schema: JsonSchema, shared: Record<string, JsonSchema>): JsonSchema {
  return JSON.parse(JSON.stringify(schema), (_, value) => {
    const id = typeof value?.$ref === 'string' ? value.$ref.split('/').at(-1) : undefined
    return id ? inlined(shared[id]!, shared) : value
  })
}

function wordsOf({ subject }: Endpoint, name: string) {
  if (name === 'id' && subject) return `The id of the ${subject.replace('-', ' ')}.`
  if (name === 'year') return 'A calendar year, as 2026.'
  return name === 'range' ? 'Two dates, as 2026-01-01..2026-01-31.' : undefined
}

/** Splits the arguments into path and others. The call itself refuses unknown ones. */
export function splitArguments({ path, body }: Endpoint, given: Record<string, unknown>) {
  const inPath = new Set([...path.matchAll(/:(\w+)/g)].map(([, name]) => name))
  const split = (wanted: boolean) =>
    Object.fromEntries(Object.entries(given).filter(([name]) => inPath.has(name) === wanted))
  const rest = split(false)
  return { params: split(true), query: body ? {} : rest, body: body ? rest : undefined }
}
