import type { Props } from './list-types.ts'

/** Returns whether a list of groups has the line of another group above this row. */
export const isFirstOfGroup = <Row>(groupOf: Props<Row>['groupOf'], rows: readonly Row[], at: number) =>
  groupOf !== undefined && (at === 0 || groupOf(rows[at - 1]!).key !== groupOf(rows[at]!).key)
