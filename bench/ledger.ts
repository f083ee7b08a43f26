import '../server/tables.ts'
import { transaction } from '../server/platform/database/pool.ts'
import { verifyLedger } from '../server/program/stats/verify.ts'
import type { BenchEnvironment } from './environment.ts'

/** Fails unless the ledger is consistent. */
export async function checkLedger({ db }: BenchEnvironment): Promise<void> {
  const differences = await transaction(db, async (tx) => {
    await tx.run`set local statement_timeout = 0`
    return verifyLedger(tx)
  })
  if (differences.length > 0) throw new Error(`the ledger differs: ${JSON.stringify(differences[0])}`)
}
