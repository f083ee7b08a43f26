import { type Database, transaction } from '../../platform/database/pool.ts'
import { type AccountFacts, getAccountFacts } from '../access/account-facts.ts'
import { newestNumber } from '../agreement/accepted.ts'
import { getLook, type Look } from '../assets/files.ts'
import { howPaid } from '../payouts/payout-summary.ts'
import { type Promised, promisedCommission } from '../sales/promised-commission.ts'
import { accountOfSlug, areFull, getProgramRow, groupBySlug, type ProgramRow } from './queries.ts'
import { MOST_WAITING } from './receive.ts'

/** Everything shown on a program's page. */
export type PageFacts = {
  account: AccountFacts
  program: ProgramRow & { slug: string }
  /** The group that applicants join; null on the program's own page. */
  group: { id: string; publicName: string | null } | null
  /** Address of the page on this server. */
  path: string
  look: Look
  promised: Promised[]
  /** The newest version of the partner agreement; null without one. */
  agreement: number | null
  /** How partners are paid, in sentences. */
  howPaid: string[]
  /** Longest time for which a visit counts; null without an enabled link. */
  cookieDays: number | null
  /** Null if links differ. */
  attribution: 'last-touch' | 'first-touch' | null
  /** As many applications wait as may: the form reads as closed. */
  isFull: boolean
}

/**
 * Returns the facts of the page at an address that the program ever had, or of a group's page below it; undefined for an
 * unknown one, one that is off or disabled.
 */
export async function findPageFacts(db: Database, slug: string, joinSlug?: string): Promise<PageFacts | undefined> {
  const accountId = await accountOfSlug(db, slug)
  if (accountId === undefined) return undefined
  return transaction(db, async (tx) => {
    const account = (await getAccountFacts(tx, [accountId])).get(accountId)
    const program = await getProgramRow(tx, accountId)
    if (!account || account.disabledAt || program.state === 'off' || program.slug === null) return undefined
    const group = joinSlug === undefined ? null : await groupBySlug(tx, accountId, joinSlug)
    if (group === undefined) return undefined
    const visits = await tx.one<{ cookieDays: number | null; models: string[] }>`
      select max(cookie_days) as cookie_days,
        coalesce(array_agg(distinct coalesce(attribution_model, ${account.attributionModel})), '{}') as models
      from link_blueprints where account_id = ${accountId} and enabled and archived_at is null`
    const [model, other] = visits.models
    return {
      account,
      program: { ...program, slug: program.slug },
      group,
      path: ['/join', program.slug, ...(group ? [group.joinSlug] : [])].join('/'),
      look: await getLook(tx, accountId),
      promised: await promisedCommission(tx, account, group?.id ?? null),
      agreement: await newestNumber(tx, accountId),
      howPaid: await howPaid(tx, account),
      cookieDays: visits.cookieDays,
      attribution: other === undefined ? ((model as PageFacts['attribution']) ?? account.attributionModel) : null,
      isFull: await areFull(tx, accountId, MOST_WAITING),
    }
  })
}
