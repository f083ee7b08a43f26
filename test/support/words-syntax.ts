import { parseSync } from 'vite'

// The texts in a module of `web/words`, read from its syntax: words with values are functions that return a template.

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

const partsOf = (node: Node) => node.quasis as { start: number; end: number; value: { cooked: string; raw: string } }[]

/** Returns the texts of a module, with `{}` for each value. */
export const textsIn = (file: string, source: string): string[] =>
  textNodes(file, source).map((node) =>
    node.type === 'Literal'
      ? String(node.value)
      : partsOf(node)
          .map(({ value }) => value.cooked)
          .join('{}'),
  )

/** Returns the module with each text replaced; values in it stay where they are. */
export function withTexts(file: string, source: string, change: (text: string) => string): string {
  const edits = textNodes(file, source).flatMap((node) =>
    node.type === 'Literal'
      ? [{ start: node.start, end: node.end, text: JSON.stringify(change(String(node.value))) }]
      : partsOf(node).map(({ start, end, value: { cooked, raw } }) => {
          // a parser of TypeScript includes the quote or brace before the text
          const from = end - start === raw.length ? start : start + 1
          return { start: from, end: from + raw.length, text: escaped(change(cooked)) }
        }),
  )
  return edits.reduceRight((code, { start, end, text }) => code.slice(0, start) + text + code.slice(end), source)
}

const escaped = (text: string) => text.replace(/[\\`]|\$(?=\{)/g, '\\$&')
