import { basicWords } from '../words/basic.ts'
import { ActionMenu } from './ActionMenu.tsx'
import type { Entry, Offered } from './actions.tsx'
import type { Column } from './PlainTable.tsx'

/** The last column of a plain table: the menu of each row. */
export const actionsColumn = <Row,>(
  nameOf: (row: Row) => string,
  actions: readonly Offered<Row>[] | ((row: Row) => readonly Entry<Row>[]),
): Column<Row> => ({
  head: basicWords.actions.heading,
  headHidden: true,
  numeric: true,
  cell: (row) => (
    <ActionMenu
      small
      name={nameOf(row)}
      of={row}
      actions={typeof actions === 'function' ? actions(row) : (actions as readonly Entry<Row>[])}
    />
  ),
})
