import { type Database, openDatabase } from '../platform/database/pool.ts'
import { positionOf, replicaInWords, stateAt } from '../platform/database/replica/replica-state.ts'
import { silent } from '../platform/http/logger.ts'
import { type Check, fault, ok, skipped, warning } from './check.ts'

/** Checks whether lists and statistics can be read from it. */
export const replica: Check = {
  name: 'replica',
  async look(patient) {
    patient.needs('DATABASE_REPLICA_URL')
    const { databaseReplicaUrl: url, databasePooling: pooling } = patient.config
    if (!url) return skipped('DATABASE_REPLICA_URL isn’t set: everything is read from the primary.')
    const position = await positionOf(await patient.database())
    let opened: Database | undefined
    const state = await stateAt(position, async () => {
      opened = openDatabase({ url, pooling, log: silent, max: 1 })
      return opened
    })
    await opened?.close()
    const { finding, advice } = replicaInWords(state)
    if (state.is === 'follows') return ok(finding)
    return state.is === 'foreign' ? fault(finding, advice) : warning(finding, advice)
  },
}
