import { OtherKey } from '../config/secret-key.ts'
import { type Database, type Queryable, type Transaction, transaction } from './pool.ts'
import { openIfOurs, type Secrets } from './secrets.ts'

const PLACE = 'install|key_check|1|'
const WORDS = 'this database is sealed with this key'

/** Refuses a database whose secrets are sealed with another key: the loss would only be noticed much later. */
export async function checkKey(db: Database, secrets: Secrets): Promise<void> {
  const { keyCheck } = (await findCheck(db)) ?? (await transaction(db, (tx) => makeCheck(tx, secrets)))
  if (!opensKeyCheck(secrets, keyCheck)) throw wrongKey()
}

/** Checks the key before any change; a database that was never started has none. */
export async function checkKeyFirst(db: Database, secrets: Secrets): Promise<void> {
  const present = await db.value<boolean>`select to_regclass('install') is not null`
  if (present && !(await isDatabaseKey(db, secrets))) throw wrongKey()
}

export const wrongKey = () =>
  new OtherKey(
    'SECRET_KEY (or the key in DATA_DIR) is not the one this database was sealed with; provide the key that was used at the first start, or the one that npx tributary rekey put in its place. If that command was cut short, run it again.',
  )

/** Whether this is the database's key; one without secrets accepts any. */
export async function isDatabaseKey(db: Queryable, secrets: Secrets): Promise<boolean> {
  const found = await findCheck(db)
  return !found || opensKeyCheck(secrets, found.keyCheck)
}

/** Makes this the database's key. */
export const resealCheck = (tx: Transaction, secrets: Secrets) =>
  tx.run`update install set key_check = ${secrets.seal(WORDS, PLACE)}`

/** Whether this is the key with which the check was sealed. */
export const opensKeyCheck = (secrets: Secrets, keyCheck: Buffer) => openIfOurs(secrets, keyCheck, PLACE) === WORDS

/** Returns the check in base64: sealed with a random nonce, so that no two installs have the same. */
export const findKeyCheck = async (db: Queryable): Promise<string | null> =>
  (await findCheck(db))?.keyCheck.toString('base64') ?? null

const findCheck = (db: Queryable) => db.maybe<{ keyCheck: Buffer }>`select key_check from install`

/** Inserts the check, or returns the one of a faster process. */
async function makeCheck(tx: Transaction, secrets: Secrets) {
  await tx.run`
    insert into install (key_check, created_at) values (${secrets.seal(WORDS, PLACE)}, ${tx.now})
    on conflict do nothing`
  return (await findCheck(tx))!
}
