import { z } from 'zod'

export type JsonSchema = { [key: string]: unknown }
type Io = 'input' | 'output'

/** Converts schemas of the contract to JSON Schema 2020-12; those with an id become shared components. */
export type SchemaConverter = {
  /** `input`: for requests; `output`: for answers. */
  convert(schema: z.ZodType, io: Io): JsonSchema
  /**
   * Returns the shared schemas, once all are converted. If request and response versions differ, the former is named
   * `…Input`.
   */
  components(): Record<string, JsonSchema>
}

const HERE = '#/$defs/'
const SHARED = '#/components/schemas/'

export function createSchemaConverter(): SchemaConverter {
  const shared: Record<Io, Map<string, JsonSchema>> = { input: new Map(), output: new Map() }
  const inputs: JsonSchema[] = []
  return {
    convert(schema, io) {
      const made = z.toJSONSchema(schema, { io, unrepresentable: 'any', override: (context) => tidy(context, io) })
      const { $schema: _, $defs = {}, ...root } = structuredClone(made) as JsonSchema & { $defs?: JsonSchema }
      for (const [id, definition] of Object.entries($defs)) shared[io].set(id, definition as JsonSchema)
      eachReference($defs, (id) => SHARED + id)
      eachReference(root, (id) => SHARED + id)
      if (io === 'input') inputs.push(root, ...Object.values($defs as Record<string, JsonSchema>))
      return root
    },
    components() {
      const differing = findDiffering(shared.input, shared.output)
      const rename = (id: string) => SHARED + (differing.has(id) ? `${id}Input` : id)
      for (const schema of inputs) eachReference(schema, rename)
      const all = new Map(shared.output)
      for (const [id, schema] of shared.input) all.set(differing.has(id) ? `${id}Input` : id, schema)
      return Object.fromEntries([...all].sort(([a], [b]) => (a < b ? -1 : 1)))
    },
  }
}

/** Finds ids whose two forms differ, in themselves or in their references. */
function findDiffering(input: Map<string, JsonSchema>, output: Map<string, JsonSchema>) {
  const differing = new Set<string>()
  for (const [id, schema] of input)
    if (output.has(id) && JSON.stringify(schema) !== JSON.stringify(output.get(id))) differing.add(id)
  for (let before = -1; before < differing.size; ) {
    before = differing.size
    for (const [id, schema] of input)
      if (output.has(id) && referencesOf(schema).some((to) => differing.has(to))) differing.add(id)
  }
  return differing
}

function referencesOf(schema: JsonSchema) {
  const found: string[] = []
  eachReference(schema, (id) => {
    found.push(id)
    return SHARED + id
  })
  return found
}

/** Replaces every reference inside; visits each place once. */
function eachReference(value: unknown, replace: (id: string) => string): void {
  if (typeof value !== 'object' || value === null) return
  const record = value as JsonSchema
  if (typeof record.$ref === 'string') record.$ref = replace(record.$ref.replace(HERE, '').replace(SHARED, ''))
  for (const inner of Object.values(record)) eachReference(inner, replace)
}

/** Drops noise: the pattern that duplicates `format`, and the ±2^53 bounds. */
function tidy({ jsonSchema }: { jsonSchema: JsonSchema }, io: Io) {
  if (jsonSchema.format) delete jsonSchema.pattern
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  // Bodies refuse unknown keys; answers may get more in a later release.
  if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
}
