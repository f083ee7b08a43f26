import { type Database, openDatabase } from '../platform/database/pool.ts'
import { readPosition, replicaInWords, stateAt } from '../platform/database/replica/replica-state.ts'
import { silent } from '../platform/http/logger.ts'
import { type Check, reportFault, reportOk, reportSkipped, reportWarning } from './check.ts'

/** Checks whether lists and statistics can be read from it. */
export const replica: Check = {
  name: 'replica',
  async look(patient) {
    patient.needs('DATABASE_REPLICA_URL')
    const { databaseReplicaUrl: url, databasePooling: pooling } = patient.config
    if (!url) return reportSkipped('DATABASE_REPLICA_URL isn’t set: everything is read from the primary.')
    const position = await readPosition(await patient.database())
    let opened: Database | undefined
    const state = await stateAt(position, async () => {
      opened = openDatabase({ url, pooling, log: silent, max: 1 })
      return opened
    })
    await opened?.close()
    const { finding, advice } = replicaInWords(state)
    if (state.status === 'follows') return reportOk(finding)
    return state.status === 'foreign' ? reportFault(finding, advice) : reportWarning(finding, advice)
  },
}
