import { globSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'vite'

// The texts in a module of `web/words`, read from its syntax: words with values are functions that return a template.

const root = fileURLToPath(new URL('../../', import.meta.url))

/**
 * The files of words, and of those shared with the server's mails; the others in their folder translate,
 * describe documents or test.
 */
export const filesOfWords = [
  ...filesIn('web/words', (name) => !/^(refusals|public-pages)\.ts$|\.test\.ts$|\.json$/.test(name)),
  ...filesIn('contract', (name) => name.endsWith('-words.ts')),
  ...globSync(`${root}features/*/*text.ts`),
]

function filesIn(folder: string, isOfWords: (name: string) => boolean) {
  const path = `${root}${folder}/`
  return readdirSync(path)
    .filter(isOfWords)
    .map((name) => `${path}${name}`)
}

type Node = { type: string; start: number; end: number; [key: string]: unknown }

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value

/** Values with a type beside them. */
const typed = new Set(['TSAsExpression', 'TSSatisfiesExpression'])

/** Returns the literals and templates of a module, without its imports, types and keys. */
function textNodes(file: string, source: string): Node[] {
  const { program, errors } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`)
  const found: Node[] = []
  read(program)
  return found.toSorted((one, other) => one.start - other.start)

  function read(value: unknown): void {
    if (Array.isArray(value)) for (const one of value) read(one)
    if (!isNode(value) || (/^(ImportDeclaration|TS\w+)$/.test(value.type) && !typed.has(value.type))) return
    if (isMergeOfParts(value)) return
    // the module's name and part come first
    if (isCallOf('defineWords', value)) {
      read((value.arguments as unknown[])[2])
      return
    }
    if (value.type === 'TemplateLiteral' || (value.type === 'Literal' && typeof value.value === 'string'))
      found.push(value)
    for (const [key, inner] of Object.entries(value))
      if (key !== 'type' && !(key === 'key' && value.type === 'Property')) read(inner)
  }
}

/** Whether this joins the words that features export as a part, by a name that is no text. */
const isMergeOfParts = (node: Node) => isCallOf('mergeParts', node)

const isCallOf = (name: string, { type, callee }: Node) =>
  type === 'CallExpression' && isNode(callee) && callee.name === name

const partsOf = (node: Node) => node.quasis as { value: { cooked: string } }[]

/** Returns the texts of a module, with `{}` for each value. */
export const textsIn = (file: string, source: string): string[] =>
  textNodes(file, source).map((node) =>
    node.type === 'Literal'
      ? String(node.value)
      : partsOf(node)
          .map(({ value }) => value.cooked)
          .join('{}'),
  )
