import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

export const LOCK_FILE = 'postgres.lock'
/** Milliseconds, longer than a mere check locks the file. */
const PATIENCE_MS = 250

/**
 * Locks the embedded database for this process, or returns null while another one has it.
 * Uses the operating system's lock on an (empty) SQLite file: it ends with the process, however that dies, works
 * between containers on one machine, and only one of two concurrent tries succeeds.
 */
export function lockData(dataDir: string): { release(): void } | null {
  const file = new DatabaseSync(join(dataDir, LOCK_FILE), { timeout: PATIENCE_MS })
  try {
    file.exec('pragma journal_mode = memory; begin exclusive')
    return { release: () => file.close() }
  } catch (error) {
    file.close()
    if (isBusy(error)) return null
    throw error
  }
}

/** Whether a live process has locked the embedded database. */
export function isDataLocked(dataDir: string): boolean {
  const file = new DatabaseSync(join(dataDir, LOCK_FILE))
  try {
    file.exec('select count(*) from sqlite_master')
    return false
  } catch (error) {
    if (isBusy(error)) return true
    throw error
  } finally {
    file.close()
  }
}

const SQLITE_BUSY = 5
const isBusy = (error: unknown) => (error as { errcode?: number }).errcode === SQLITE_BUSY
