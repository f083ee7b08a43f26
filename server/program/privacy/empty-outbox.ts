import { readFile, rm } from 'node:fs/promises'
import type { Traces } from '../../platform/database/declare-tables.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { savedMail } from '../../platform/outbox.ts'
import type { Services } from '../../platform/services.ts'
import { toPattern, withNames } from './search.ts'

/** Mails read at once. */
const READ = 500

/**
 * Deletes the account's mails to or about the person that an install without a mail server has saved. A lead gets none:
 * one to this address is another person's, such as a partner's.
 */
export async function emptyOutbox(
  { db, config }: Pick<Services, 'config'> & { db: Queryable },
  { type, accountId, search }: Traces,
): Promise<void> {
  const pattern = toPattern(withNames(search))
  const about = pattern === null ? null : new RegExp(pattern)
  for (let after: string | null = null; ; ) {
    const mails: { id: string; name: string; email: string }[] = await db.many`
      select id, name, email from mails t
      where t.state = 'kept' and (${after}::uuid is null or t.id > ${after})
        and (t.account_id = ${accountId} or (t.account_id is null and t.email = any(${search.values})
          and not exists (select from users u where u.email = t.email)))
      order by t.id limit ${READ}`
    for (const { name, email } of mails) {
      const file = savedMail(config, name)
      const isTo = search.values.includes(email.toLowerCase())
      const isTheirs =
        type === 'partner' ? isTo || (await containsMatch(file, about)) : !isTo && (await containsMatch(file, about))
      if (isTheirs) await rm(file, { force: true })
    }
    after = mails.at(-1)?.id ?? null
    if (mails.length < READ) return
  }
}

const containsMatch = async (file: string, about: RegExp | null) => {
  const content = about && (await readFile(file, 'utf8').catch(() => null))
  return Boolean(content && about.test(content.toLowerCase()))
}
