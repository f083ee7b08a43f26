import {
  type A_Expr,
  type Node,
  parseSync,
  type RangeVar,
  type SelectStmt,
  type SubLink,
  type WithClause,
} from 'libpg-query'
import { type Catalogue, placeOf } from './catalogue.ts'
import { GIVEN, Same } from './same.ts'

// Reads a statement as Citus would: it goes to the machine of an account only if each table of accounts is restricted
// to an account that the statement is given, directly or through columns that equal each other.

/** A query's result: its columns, and which of them have a value that the statement was given. */
type Output = { columns: string[]; given: boolean[] }
/** An item of a FROM: a table, or the result of another query or a function. */
type Item = { name: string; columns: string[]; key: (column: string) => string; table?: string }
type Scope = { items: Item[]; same: Same; outer: Scope | undefined; answers: Map<string, Output> }
/** The surroundings of a query; `as` is the item of the query above that it fills. */
type Place = { outer: Scope | undefined; same: Same; answers: Map<string, Output>; as?: Item }
type Fill = { item: Item; query: SelectStmt }
type Changing = {
  relation?: RangeVar
  targetList?: Node[]
  fromClause?: Node[]
  usingClause?: Node[]
  whereClause?: Node
  returning?: Node[]
  withClause?: WithClause
}

/** Returns the tables of accounts that a statement reads without restricting the account. Needs `loadModule()` first. */
export function tablesOfAnyAccount(text: string, catalogue: Catalogue): string[] {
  const found = new Set<string>()
  const reader = new Reader(catalogue, (table) => found.add(table))
  for (const { stmt } of parseSync(text).stmts ?? []) if (stmt) reader.read(stmt)
  return [...found].sort()
}

class Reader {
  #catalogue: Catalogue
  #report: ((table: string) => void) | undefined
  #items = 0

  constructor(catalogue: Catalogue, report: (table: string) => void) {
    this.#catalogue = catalogue
    this.#report = report
  }

  read(statement: Node, place: Place = { outer: undefined, same: new Same(), answers: new Map() }): Output {
    if ('SelectStmt' in statement) return this.#select(statement.SelectStmt, place)
    if ('InsertStmt' in statement) return this.#insert(statement, place)
    if ('UpdateStmt' in statement) {
      const { returningClause, ...update } = statement.UpdateStmt
      return this.#change({ ...update, returning: returningClause?.exprs }, place)
    }
    if ('DeleteStmt' in statement) {
      const { returningClause, ...deletion } = statement.DeleteStmt
      return this.#change({ ...deletion, returning: returningClause?.exprs }, place)
    }
    throw new Error(`statements.ts cannot read ${Object.keys(statement).join()}`)
  }

  #isOfAccount = (table: string) => placeOf(this.#catalogue, table) === 'with its account'

  /** Reads a query by itself, without reporting: the conditions around it are not known yet. */
  #alone(query: SelectStmt, place: Place): Output {
    const report = this.#report
    this.#report = undefined
    try {
      return this.#select(query, place)
    } finally {
      this.#report = report
    }
  }

  #select(query: SelectStmt, place: Place): Output {
    const answers = this.#answers(query.withClause, place)
    const here = { ...place, answers }
    if (query.larg && query.rarg) {
      const [left, right] = [this.#select(query.larg, here), this.#select(query.rarg, here)]
      return { columns: left.columns, given: left.given.map((is, at) => is && right.given[at] === true) }
    }
    if (query.valuesLists) return this.#values(query.valuesLists, here)
    const scope: Scope = { items: [], same: place.same.copy(), outer: place.outer, answers }
    const fills = (query.fromClause ?? []).flatMap((node) => this.#from(node, scope))
    const asked = this.#ask(query.whereClause, scope)
    const { names, keys } = this.#targets(query.targetList ?? [], scope)
    if (place.as) for (const [at, name] of place.as.columns.entries()) scope.same.join(place.as.key(name), keys[at])
    this.#below(
      [...fills, ...asked],
      [query.fromClause, query.whereClause, query.targetList, query.havingClause, query.sortClause],
      scope,
    )
    return { columns: names, given: keys.map((key) => scope.same.isGiven(key)) }
  }

  #values(lists: Node[], { outer, same, answers }: Place): Output {
    const scope: Scope = { items: [], same: same.copy(), outer, answers }
    const rows = lists.map((list) => ('List' in list ? (list.List.items ?? []) : []))
    this.#below([], [lists], scope)
    const columns = (rows[0] ?? []).map((_, at) => `column${at + 1}`)
    return { columns, given: columns.map((_, at) => rows.every((row) => same.isGiven(this.#keyOf(row[at]!, scope)))) }
  }

  #insert(statement: Extract<Node, { InsertStmt: unknown }>, place: Place): Output {
    const { relation, cols, selectStmt, withClause, returningClause, onConflictClause } = statement.InsertStmt
    const answers = this.#answers(withClause, place)
    const source = selectStmt ? this.read(selectStmt, { ...place, answers }) : { columns: [], given: [] }
    const scope: Scope = { items: [], same: place.same.copy(), outer: place.outer, answers }
    const target = this.#table(relation!, scope)
    const names = cols?.map((node) => ('ResTarget' in node ? node.ResTarget.name : undefined)) ?? target.columns
    for (const [at, name] of names.entries()) if (source.given[at]) scope.same.join(target.key(name ?? ''), GIVEN)
    return this.#returned(returningClause?.exprs, [], [onConflictClause], scope)
  }

  #change(change: Changing, place: Place): Output {
    const answers = this.#answers(change.withClause, place)
    const scope: Scope = { items: [], same: place.same.copy(), outer: place.outer, answers }
    this.#table(change.relation!, scope)
    const from = [...(change.fromClause ?? []), ...(change.usingClause ?? [])]
    const fills = from.flatMap((node) => this.#from(node, scope))
    const asked = this.#ask(change.whereClause, scope)
    return this.#returned(change.returning, [...fills, ...asked], [from, change.targetList, change.whereClause], scope)
  }

  #returned(returning: Node[] | undefined, fills: Fill[], parts: unknown[], scope: Scope): Output {
    const { names, keys } = this.#targets(returning ?? [], scope)
    this.#below(fills, [...parts, returning], scope)
    return { columns: names, given: keys.map((key) => scope.same.isGiven(key)) }
  }

  /**
   * Reads the subqueries of a query, now that all its conditions are known, and reports the tables without a
   * restriction.
   */
  #below(fills: Fill[], parts: unknown[], scope: Scope) {
    const place = { outer: scope, same: scope.same, answers: scope.answers }
    for (const { item, query } of fills) this.#select(query, { ...place, as: item })
    const filled = new Set(fills.map(({ query }) => query))
    for (const { subselect } of subLinksIn(parts)) {
      const query = subselect && 'SelectStmt' in subselect ? subselect.SelectStmt : undefined
      if (query && !filled.has(query)) this.#select(query, place)
    }
    for (const { table, key } of scope.items)
      if (table !== undefined && this.#isOfAccount(table) && !scope.same.isGiven(key('account_id')))
        this.#report?.(table)
  }

  #answers(clause: WithClause | undefined, { outer, same, answers }: Place): Map<string, Output> {
    const all = new Map(answers)
    const place = { outer, same, answers: all }
    for (const node of clause?.ctes ?? []) {
      if (!('CommonTableExpr' in node)) continue
      const { ctename = '', ctequery, aliascolnames } = node.CommonTableExpr
      const first = ctequery && 'SelectStmt' in ctequery ? ctequery.SelectStmt.larg : undefined
      if (clause?.recursive && first) all.set(ctename, renamed(this.#alone(first, place), aliascolnames))
      all.set(ctename, renamed(this.read(ctequery!, place), aliascolnames))
    }
    return all
  }

  #from(node: Node, scope: Scope): Fill[] {
    if ('RangeVar' in node) {
      this.#table(node.RangeVar, scope)
      return []
    }
    if ('JoinExpr' in node) return this.#joined(node, scope)
    if ('RangeSubselect' in node) {
      const { subquery, alias } = node.RangeSubselect
      if (!subquery || !('SelectStmt' in subquery)) return []
      return [this.#filled(subquery.SelectStmt, alias?.aliasname ?? '', alias?.colnames, scope)]
    }
    if ('RangeFunction' in node) {
      const { functions, alias, coldeflist } = node.RangeFunction
      const names = [
        ...(alias?.colnames ?? []).map(textOf),
        ...(coldeflist ?? []).map(columnOf),
        alias?.aliasname ?? '',
      ]
      const item = this.#item(alias?.aliasname ?? '', names, scope)
      if (this.#followsFromGiven(functions, scope)) for (const name of names) scope.same.join(item.key(name), GIVEN)
    }
    return []
  }

  #joined(
    { JoinExpr: { larg, rarg, quals, usingClause } }: Extract<Node, { JoinExpr: unknown }>,
    scope: Scope,
  ): Fill[] {
    const left = this.#from(larg!, scope)
    const lefts = [...scope.items]
    const right = this.#from(rarg!, scope)
    for (const name of (usingClause ?? []).map(textOf))
      for (const item of scope.items.filter((one) => !lefts.includes(one) && one.columns.includes(name)))
        scope.same.join(lefts.find((one) => one.columns.includes(name))?.key(name), item.key(name))
    return [...left, ...right, ...this.#ask(quals, scope)]
  }

  #table({ relname = '', alias }: RangeVar, scope: Scope): Item {
    const name = alias?.aliasname ?? relname
    const answer = scope.answers.get(relname)
    if (answer) {
      const item = this.#item(name, answer.columns, scope)
      for (const [at, column] of answer.columns.entries())
        if (answer.given[at]) scope.same.join(item.key(column), GIVEN)
      return item
    }
    const item = this.#item(name, this.#catalogue.columns.get(relname) ?? [], scope)
    item.table = this.#catalogue.wholes.get(relname) ?? relname
    return item
  }

  #filled(query: SelectStmt, name: string, colnames: Node[] | undefined, scope: Scope): Fill {
    const output = renamed(this.#alone(query, { outer: scope, same: scope.same, answers: scope.answers }), colnames)
    const item = this.#item(name, output.columns, scope)
    for (const [at, column] of output.columns.entries()) if (output.given[at]) scope.same.join(item.key(column), GIVEN)
    return { item, query }
  }

  #item(name: string, columns: string[], scope: Scope): Item {
    const number = this.#items++
    const item: Item = { name, columns, key: (column) => `${number}.${column}` }
    scope.items.push(item)
    return item
  }

  /** Joins the columns that a condition makes equal, as far as all of it must be true. */
  #ask(condition: Node | undefined, scope: Scope): Fill[] {
    if (!condition) return []
    if ('BoolExpr' in condition)
      return condition.BoolExpr.boolop === 'AND_EXPR'
        ? (condition.BoolExpr.args ?? []).flatMap((one) => this.#ask(one, scope))
        : []
    if ('A_Expr' in condition) this.#compare(condition.A_Expr, scope)
    if ('SubLink' in condition) return this.#among(condition.SubLink, scope)
    return []
  }

  #compare({ kind, name, lexpr, rexpr }: A_Expr, scope: Scope) {
    if (!lexpr || !rexpr || textOf(name?.[0]) !== '=') return
    if (kind === 'AEXPR_IN') {
      if (this.#followsFromGiven(rexpr, scope)) scope.same.join(this.#keyOf(lexpr, scope), GIVEN)
      return
    }
    if (kind !== 'AEXPR_OP' && kind !== 'AEXPR_NOT_DISTINCT' && kind !== 'AEXPR_OP_ANY') return
    const [left, right] = [partsOf(lexpr), partsOf(rexpr)]
    for (const [at, part] of left.entries())
      if (right[at]) scope.same.join(this.#keyOf(part, scope), this.#keyOf(right[at], scope))
  }

  /** `x in (select …)` as a condition that every row meets. */
  #among({ subLinkType, testexpr, operName, subselect }: SubLink, scope: Scope): Fill[] {
    if (subLinkType !== 'ANY_SUBLINK' || operName || !testexpr || !subselect || !('SelectStmt' in subselect)) return []
    const fill = this.#filled(subselect.SelectStmt, '', undefined, scope)
    scope.items.pop()
    const tested = partsOf(testexpr)
    for (const [at, column] of fill.item.columns.entries())
      if (tested[at]) scope.same.join(this.#keyOf(tested[at], scope), fill.item.key(column))
    return [fill]
  }

  #targets(list: Node[], scope: Scope): { names: string[]; keys: (string | undefined)[] } {
    const all = list.flatMap((node): [string, string | undefined][] => {
      if (!('ResTarget' in node) || !node.ResTarget.val) return []
      const { name, val } = node.ResTarget
      if (!('ColumnRef' in val)) return [[name ?? functionName(val), this.#keyOf(val, scope)]]
      const fields = (val.ColumnRef.fields ?? []).map(textOf)
      if (fields.at(-1) !== STAR) return [[name ?? fields.at(-1)!, this.#keyOf(val, scope)]]
      const items = scope.items.filter((item) => fields.length === 1 || item.name === fields[0])
      return items.flatMap(({ columns, key }) => columns.map((column): [string, string] => [column, key(column)]))
    })
    return { names: all.map(([name]) => name), keys: all.map(([, key]) => key) }
  }

  /** Returns the key of the expression's column, or GIVEN if its value follows from given ones. */
  #keyOf(expression: Node, scope: Scope): string | undefined {
    if ('TypeCast' in expression) return this.#keyOf(expression.TypeCast.arg!, scope)
    if ('ColumnRef' in expression) return this.#resolve((expression.ColumnRef.fields ?? []).map(textOf), scope)
    return this.#followsFromGiven(expression, scope) ? GIVEN : undefined
  }

  #followsFromGiven(expression: unknown, scope: Scope): boolean {
    const { columns, links } = leavesOf(expression)
    return (
      columns.every((fields) => scope.same.isGiven(this.#resolve(fields, scope))) &&
      links.every(({ subselect }) => {
        if (!subselect || !('SelectStmt' in subselect)) return false
        const { given } = this.#alone(subselect.SelectStmt, { outer: scope, same: scope.same, answers: scope.answers })
        return given.length > 0 && given.every(Boolean)
      })
    )
  }

  #resolve(fields: string[], scope: Scope | undefined): string | undefined {
    if (!scope) return undefined
    const column = fields.at(-1)!
    const [name] = fields.length > 1 ? fields : []
    const item = scope.items.find((one) => (name === undefined ? one.columns.includes(column) : one.name === name))
    return item ? item.key(column) : this.#resolve(fields, scope.outer)
  }
}

const STAR = '*'

function textOf(node: Node | undefined): string {
  if (node && 'String' in node) return node.String.sval ?? ''
  return node && 'A_Star' in node ? STAR : ''
}

const columnOf = (node: Node) => ('ColumnDef' in node ? (node.ColumnDef.colname ?? '') : '')

const functionName = (node: Node) => ('FuncCall' in node ? textOf(node.FuncCall.funcname?.at(-1)) : '')

const partsOf = (node: Node): Node[] => ('RowExpr' in node ? (node.RowExpr.args ?? []) : [node])

const renamed = ({ columns, given }: Output, names: Node[] | undefined): Output => ({
  columns: columns.map((column, at) => (names?.[at] ? textOf(names[at]) : column)),
  given,
})

/** Returns the columns that an expression names, without those in its subqueries, and these subqueries. */
function leavesOf(part: unknown): { columns: string[][]; links: SubLink[] } {
  const columns: string[][] = []
  const links: SubLink[] = []
  const look = (one: unknown) => {
    if (typeof one !== 'object' || one === null) return
    for (const [name, value] of Object.entries(one)) {
      if (name === 'RangeSubselect') continue
      if (name === 'ColumnRef') columns.push(((value as { fields?: Node[] }).fields ?? []).map(textOf))
      else if (name === 'SubLink') {
        links.push(value as SubLink)
        look((value as SubLink).testexpr)
      } else look(value)
    }
  }
  look(part)
  return { columns, links }
}

const subLinksIn = (parts: unknown) => leavesOf(parts).links
