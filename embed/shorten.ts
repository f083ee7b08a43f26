import { parseAst } from 'vite'

type Node = { type: string; start: number; end: number; [child: string]: unknown }
type Edit = [start: number, end: number, text: string]
/** A name as the code of a function reads, writes or declares it. */
type Use = { name: string; start: number; end: number; isInner: boolean; isShorthand: boolean }

/**
 * Rewrites the script, all of whose declarations are `let`, so that Terser makes one expression of most functions, and what
 * looks alike is packed into fewer bytes. Right for the script, not for any code: it loops over arrays alone, and asks no
 * function for its `length`.
 */
export function shortenScript(code: string): string {
  let shorter = withEdits(code, (node) => mapArray(node, code))
  for (let longer = ''; shorter !== longer; ) {
    longer = shorter
    let past = 0
    shorter = withEdits(longer, (node) => {
      const edits = node.start < past ? [] : reuseVariable(node)
      if (edits[0]) past = node.end
      return edits
    })
  }
  return withEdits(shorter, (node) => declareInParameters(node, shorter))
}

function withEdits(code: string, editsFor: (node: Node) => Edit[]): string {
  const edits = listNodes(parseAst(code) as unknown as Node).flatMap(editsFor)
  let text = code
  for (const [start, end, replacement] of edits.toReversed().sort((a, b) => b[0] - a[0] || b[1] - a[1]))
    text = text.slice(0, start) + replacement + text.slice(end)
  return text
}

const childrenOf = (node: Node) =>
  Object.values(node)
    .flat()
    .filter((child): child is Node => typeof (child as Node | null)?.type === 'string')

const listNodes = (node: Node): Node[] => [node, ...childrenOf(node).flatMap(listNodes)]

const isFunction = ({ type }: Node) => /Function/.test(type)

/** Writes `list.map((one) => …)` for `for (let one of list) …`, unless it may end early. */
function mapArray({ type, start, end, left, right, body }: Node, code: string): Edit[] {
  if (type !== 'ForOfStatement' || endsEarly(body as Node)) return []
  const [{ id }] = (left as { declarations: [{ id: Node }] }).declarations
  return [
    [start, (right as Node).start, '('],
    [(right as Node).end, (body as Node).start, `).map((${code.slice(id.start, id.end)}) => {`],
    [end, end, '});'],
  ]
}

const endsEarly = (node: Node): boolean =>
  /^(Return|Break|Continue)/.test(node.type) || childrenOf(node).some((child) => !isFunction(child) && endsEarly(child))

/** Returns an arrow function's own variables, each with its statement, if the function can have further parameters. */
function listLocals({ type, params, body }: Node) {
  if (type !== 'ArrowFunctionExpression' || (params as Node[]).some((one) => one.type === 'RestElement')) return []
  return childrenOf(body as Node)
    .filter((statement) => statement.type === 'VariableDeclaration')
    .map((statement) => ({ statement, declared: statement.declarations as Node[] }))
    .flatMap(({ statement, declared: [own, other] }) =>
      own?.init && !other ? { statement, id: own.id as Node, own } : [],
    )
}

/** Lets the first variable that can do so take the place of a parameter or variable that is needed no more. */
function reuseVariable(node: Node): Edit[] {
  const locals = listLocals(node)
  if (!locals[0]) return []
  const uses = listUses(node)
  const names = (node.params as Node[]).flatMap(listNames)
  for (const { statement, id, own } of locals) {
    const reused = names.find((name) => !uses.some((use) => use.name === name && (use.isInner || use.start > own.end)))
    if (id.type === 'Identifier' && reused)
      return [
        [statement.start, own.start, ''],
        ...uses
          .filter(({ name }) => name === id.name)
          .map(({ name, start, end, isShorthand }): Edit => [start, end, isShorthand ? `${name}: ${reused}` : reused]),
      ]
    names.push(...listNames(id))
  }
  return []
}

/** Declares the variables of a function as further parameters. */
function declareInParameters(node: Node, code: string): Edit[] {
  const locals = listLocals(node)
  if (!locals[0]) return []
  const names = locals.flatMap(({ id }) => listNames(id)).join(', ')
  const last = (node.params as Node[]).at(-1)
  const at = last ? last.end : code.indexOf('(', node.start) + 1
  return [
    [at, at, last ? `, ${names}` : names],
    ...locals.flatMap(({ statement, own }): Edit[] => [
      [statement.start, own.start, '('],
      [own.end, own.end, ')'],
    ]),
  ]
}

/** Returns the names that a pattern declares. */
const listNames = (pattern: Node): string[] =>
  pattern.type === 'Identifier'
    ? [pattern.name as string]
    : childrenOf(pattern)
        .filter((child) => child !== pattern.key && child !== pattern.right)
        .flatMap(listNames)

/** Returns all names in some code; also those that an inner function declares for itself, which are as good as others. */
function listUses(node: Node, isInner = false): Use[] {
  const { name, start, end } = node as Node & { name: string }
  if (node.type === 'Identifier') return [{ name, start, end, isInner, isShorthand: false }]
  const { key, property } = node as { key?: Node; property?: Node }
  const [first, ...others] = childrenOf(node)
    .filter((child) => node.computed || (child !== key && child !== property))
    .flatMap((child) => listUses(child, isInner || isFunction(child)))
  return first ? [{ ...first, isShorthand: first.isShorthand || !!node.shorthand }, ...others] : []
}
