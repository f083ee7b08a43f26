import { StartRefusal } from '../config/start-refusal.ts'
import { type Database, type Queryable, type Transaction, transaction } from './pool.ts'
import type { Secrets } from './secrets.ts'

const PLACE = 'install|key_check|1|'
const WORDS = 'this database is sealed with this key'

/** Refuses to run a database whose secrets are sealed with another key: what was lost would only show much later. */
export async function checkKey(db: Database, secrets: Secrets): Promise<void> {
  const { keyCheck } = (await findCheck(db)) ?? (await transaction(db, (tx) => makeCheck(tx, secrets)))
  try {
    secrets.open(keyCheck, PLACE)
  } catch {
    throw new StartRefusal(
      'SECRET_KEY (or the key in DATA_DIR) is not the one this database was sealed with; provide the key that was used at the first start.',
    )
  }
}

const findCheck = (db: Queryable) => db.maybe<{ keyCheck: Buffer }>`select key_check from install`

/** The one that is there where another process was faster. */
async function makeCheck(tx: Transaction, secrets: Secrets) {
  await tx.run`
    insert into install (key_check, created_at) values (${secrets.seal(WORDS, PLACE)}, ${tx.now})
    on conflict do nothing`
  return (await findCheck(tx))!
}
