/** The variable that names where `collect.ts` writes to. */
export const folderOfStatements = 'STATEMENTS_FOLDER'

/** A statement as it was sent, and the file of the product it stands in; one with a name may be planned for any values. */
export type Statement = { text: string; from: string; isNamed: boolean; samples: (string | null)[][] }

/** The floor that every statement goes through says nothing about it. */
const PASSED_ON = [
  'server/platform/database/pool.ts',
  'server/platform/database/columns.ts',
  'server/platform/http/list.ts',
]

/** Its client runs one statement after the other, when nobody can tell any more who asked for it. */
export const IN_TRANSACTION = 'a transaction'

/** The nearest file of the product in the trace of a call; undefined of a statement that a test sends by itself. */
export function writtenIn(stack: string, root: string): string | undefined {
  const files = stack
    .split(root)
    .slice(1)
    .map((rest) => rest.slice(0, rest.search(/:\d/)))
    .filter((file) => !file.startsWith('test/plans/') && !file.startsWith('node_modules/'))
  const isTest = (file: string) => file.startsWith('test/') || file.endsWith('.test.ts')
  const product = files.find((file) => !isTest(file) && !PASSED_ON.includes(file))
  return product ?? (files.some(isTest) ? undefined : IN_TRANSACTION)
}

/** Things of the large account by the column that names them. */
export type Large = Record<string, string>

const anId = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

/**
 * The same values with the large account and its things in place of those that were meant: each value that a column of
 * `large` is compared with, and wherever else the same account is named, such as in the pattern of a search.
 */
export function inLargeAccount(text: string, values: (string | null)[], large: Large): (string | null)[] {
  const instead = new Map<string, string>()
  for (const [, column, place] of text.matchAll(/\b(\w+_id)\s*=\s*(?:any\s*\(\s*)?\$(\d+)/gi))
    for (const id of values[Number(place) - 1]?.match(anId) ?? []) if (large[column!]) instead.set(id, large[column!]!)
  return values.map((value) => value?.replace(anId, (id) => instead.get(id) ?? id) ?? null)
}

export type Node = {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  Filter?: string
  Plans?: Node[]
}

/** A plan's nodes, those below each included. */
export const nodesOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

/** What a plan reads whole, of these tables. */
export const scansOf = (plan: Node, large: ReadonlySet<string>): string[] => [
  ...new Set(
    nodesOf(plan).flatMap((node) =>
      node['Node Type'] === 'Seq Scan' && large.has(node['Relation Name'] ?? '') ? [node['Relation Name']!] : [],
    ),
  ),
]

export const indexesOf = (plan: Node): string[] => nodesOf(plan).flatMap((node) => node['Index Name'] ?? [])
