import { randomBytes } from 'node:crypto'
import { configError, parseSecretKey, SECRET_KEY_SHAPE } from '../platform/config/config.ts'
import { findKeptKey, saveNextKey, turnToNextKey } from '../platform/config/secret-key.ts'
import { StartRefusal } from '../platform/config/start-refusal.ts'
import { isDatabaseKey, wrongKey } from '../platform/database/key-check.ts'
import { hasOtherConnections, OTHERS_CONNECTED } from '../platform/database/other-connections.ts'
import { heldByLock, type Transaction, transaction } from '../platform/database/pool.ts'
import { createSecrets } from '../platform/database/secrets.ts'
import { countInWords } from '../platform/format-values.ts'
import { type Resealed, reencryptSecrets } from '../reencrypt-secrets.ts'
import { type Define, defineReport, type Report } from './command.ts'
import { type OpenInstall, withInstall } from './install.ts'

export const define: Define = (program) =>
  defineReport<{ leaveUnreadable?: boolean }>(
    program
      .command('rekey')
      .description('Re-encrypt everything with a new key while the product is stopped, all or nothing.')
      .option('--leave-unreadable', 'keep values that no key can open, instead of refusing')
      .addHelpText(
        'after',
        `
The new key is NEW_SECRET_KEY (32 bytes in base64), which SECRET_KEY needs, or else one that is
generated into DATA_DIR. Cut short at any moment, the command is run again and finishes.`,
      ),
    (_, { leaveUnreadable = false }) =>
      withInstall(
        async (install) => {
          const done = await changeKey(install, leaveUnreadable)
          // after the commit: until then the former key is the valid one
          const former = install.config.secretKey ? null : await turnToNextKey(install.config.dataDir, install.db.now)
          return reportOf(done, former)
        },
        { named: true },
      ),
  )

/** The resealed values; null if an earlier run had resealed, and only the key had to be replaced. */
type Done = Resealed | null

/** Excludes other runs from the first check of the keys to the commit, so that no other changes them meanwhile. */
function changeKey({ config, db }: OpenInstall, leaveUnreadable: boolean): Promise<Done> {
  const given = readGiven()
  if (config.secretKey && given?.equals(config.secretKey)) throw sameKey()
  return transaction(db, async (tx) => {
    await shutOut(tx)
    const waiting = config.secretKey ? given : await findKeptKey(config.dataDir, 'next')
    if (waiting && (await isDatabaseKey(tx, createSecrets(waiting)))) return null
    const present = config.secretKey ?? (await findKeptKey(config.dataDir, 'present'))
    if (!present || !(await isDatabaseKey(tx, createSecrets(present)))) throw wrongKey()
    if (config.secretKey && !given)
      throw configError('NEW_SECRET_KEY', 'nothing', `${SECRET_KEY_SHAPE}, because SECRET_KEY is given`)
    const next = given ?? waiting ?? randomBytes(32)
    if (next.equals(present)) throw sameKey()
    if (!config.secretKey) await saveNextKey(config.dataDir, next)
    const done = await reencryptSecrets(tx, {
      former: createSecrets(present),
      next: createSecrets(next),
      leaveUnreadable,
    })
    await refuseOthers(tx)
    return done
  })
}

const sameKey = () => configError('NEW_SECRET_KEY', 'the present key', 'another one')

function readGiven() {
  const text = process.env.NEW_SECRET_KEY?.trim()
  if (!text) return null
  const key = parseSecretKey(text)
  if (!key) throw configError('NEW_SECRET_KEY', `${[...text].length} characters`, SECRET_KEY_SHAPE)
  return key
}

/** Blocks starts, which read the key's check first, until the key has changed. */
async function shutOut(tx: Transaction) {
  await tx.run`set local statement_timeout = 0`
  await tx.run`lock table install in access exclusive mode`.catch((error: unknown) => {
    throw heldByLock(error) ? inUse() : error
  })
  await refuseOthers(tx)
}

async function refuseOthers(tx: Transaction) {
  if (await hasOtherConnections(tx)) throw inUse()
}

const inUse = () => new StartRefusal(OTHERS_CONNECTED)

function reportOf(done: Done, former: string | null): Report {
  const place = former
    ? `The new key is in DATA_DIR; the old one is saved as ${former}. Existing backups need it: delete it once you no longer need them.`
    : 'Set SECRET_KEY to the value of NEW_SECRET_KEY for every process before you start the product again.'
  const lines = done
    ? [`${countInWords(done.values, 'value')} re-encrypted.`, ...unreadable(done)]
    : ['Everything is already encrypted with the new key.']
  return {
    lines: [...lines, place, ...changedWith(done)],
    json: { ...(done ?? { values: 0, unreadable: 0, links: 0 }), finished: !done, formerKey: former },
  }
}

const unreadable = ({ unreadable }: Resealed) =>
  unreadable > 0 ? [`${countInWords(unreadable, 'value')} couldn’t be read and was left unchanged.`] : []

/** Returns consequences of a new key for values that are not stored. */
const changedWith = (done: Done) => [
  'Users stay signed in, and the serving role gets its new password at the next start. No longer valid:',
  `- links in emails of ${done ? countInWords(done.links, 'open invitation') : 'open invitations'}: “Resend invitation” sends new ones;`,
  '- links to reset a password or sign in: users can request new ones;',
  '- unsubscribe links in earlier emails: users can change this in their settings;',
  '- links to confirm an application: applicants can apply again;',
  '- today’s visitors and slowed-down sign-ins are counted from the beginning;',
  '- cards of earlier sales, and deleted addresses of rejected applicants, are no longer recognized;',
  '- calls repeated with the same Idempotency-Key are refused for a day.',
]
