import { byOf } from '../../platform/author.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import type { Install } from '../../platform/services.ts'
import type { AccountFacts } from '../../program/access/account-facts.ts'
import type { Importing } from './kinds/kind.ts'
import type { ImportRow } from './queries.ts'

/** The settings of an import of a file. */
export const ofFile = ({ settings }: ImportRow) => settings as Extract<ImportRow['settings'], { mapping: unknown }>

/** The context in which a kind's rows are imported, or undone. */
export const importingOf = (install: Install, tx: Transaction, row: ImportRow, account: AccountFacts): Importing => ({
  tx,
  install,
  by: byOf(row.createdBy),
  account,
  importId: row.id,
  settlePaid: ofFile(row).settlePaid ?? true,
  dryRun: row.dryRun,
})
