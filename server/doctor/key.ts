import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { findKeptKey } from '../platform/config/secret-key.ts'
import { StartRefusal } from '../platform/config/start-refusal.ts'
import { isDatabaseKey } from '../platform/database/key-check.ts'
import { createSecrets } from '../platform/database/secrets.ts'
import { type Check, reportFault, reportOk, reportWarning } from './check.ts'
import { NotToBeSeen, type Patient } from './patient.ts'

const RESTORE = 'Restore the key from your copy: without it, nobody can read payout details and tokens.'

/** Checks whether the key opens the database's sealed values, and is readable only by its owner. */
export const key: Check = {
  name: 'key',
  patience: 60_000,
  async look(patient) {
    const { config, needs } = patient
    needs('SECRET_KEY')
    const present = config.secretKey ?? (await readStoredKey(patient))
    if (present instanceof StartRefusal) return reportFault(present.message, RESTORE)
    const open = present ? await readableByOthers(patient) : null
    if (open) return open
    const db = await patient.database()
    if (!present) return reportFault('There is a database, but no SECRET_KEY and no secret.key in DATA_DIR.', RESTORE)
    if (await isDatabaseKey(db, createSecrets(present))) return reportOk('It matches the database.')
    const next = await findKeptKey(config.dataDir, 'next').catch(() => null)
    if (next && (await isDatabaseKey(db, createSecrets(next))))
      return reportFault('A change of the key was interrupted.', 'Run npx tributary rekey again to finish it.')
    return reportFault('It isn’t the key of this database.', RESTORE)
  },
}

/** Reads the stored key; invalid contents are returned as the fault, an unreadable folder is thrown. */
const readStoredKey = ({ config }: Patient) =>
  findKeptKey(config.dataDir, 'present').catch((error: Error) => {
    if (error instanceof StartRefusal) return error
    throw new NotToBeSeen(`It can’t be read: ${error.message}`)
  })

async function readableByOthers({ config }: Patient) {
  if (config.secretKey) return null
  const file = join(config.dataDir, 'secret.key')
  const { mode } = await stat(file)
  if ((mode & 0o077) === 0) return null
  return reportWarning(`Others on this machine can read ${file}.`, `chmod 600 ${file}`)
}
