import type { Group, GroupReward } from '#contract/groups.ts'
import type { Language } from '#contract/language.ts'
import { type Database, type Transaction, transaction } from '../../platform/database/pool.ts'
import { languagesWith } from '../../platform/languages.ts'
import { type AccountFacts, getAccountFacts } from '../access/account-facts.ts'
import { newestIn } from '../agreement/accepted.ts'
import { howPaid } from '../payouts/payout-summary.ts'
import { getLook, type Look } from '../pictures/files.ts'
import { type Promised, promisedCommission } from '../sales/promised-commission.ts'
import {
  accountOfSlug,
  areFull,
  type FriendsOffer,
  findOfferOfGroup,
  getProgramRow,
  groupBySlug,
  type ProgramRow,
} from './queries.ts'
import { MOST_WAITING } from './receive.ts'

/** Everything shown on a program's page. */
export type PageFacts = {
  account: AccountFacts
  program: ProgramRow & { slug: string }
  /** The group that applicants join; null on the program's own page. One of customers has a reward, and no form. */
  group: (Pick<Group, 'id' | 'publicName' | 'translations'> & { joinSlug: string; reward: GroupReward | null }) | null
  /** Address of the page on this server. */
  path: string
  /** The language of the page. */
  language: Language
  /** The end of the page's address in each of its languages, the base first: '', '/de'. */
  endings: Map<Language, string>
  look: Look
  promised: Promised[]
  /** The discount for friends of the group's customers; null without one. */
  offer: FriendsOffer | null
  /** The newest version of the partner agreement; null without one. */
  agreement: number | null
  /** The language of its text on this page. */
  agreementLanguage: Language | null
  /** How partners are paid, in sentences. */
  howPaid: () => string[]
  /** Longest time for which a visit counts; null without an enabled link. */
  cookieDays: number | null
  /** Null if links differ. */
  attribution: 'last-touch' | 'first-touch' | null
  /** As many applications wait as may: the form reads as closed. */
  isFull: boolean
}

/** An address of a page: '/join/acme/agencies/de'. */
export type PageAddress = { slug: string; joinSlug?: string | undefined; code?: string | undefined }

/** The two letters by which an address names a language. */
const languageCode = (language: Language) => language.slice(0, 2).toLowerCase()

/** Returns the language that an address names by two letters, of those in which a page could ever be. */
export const languageOfCode = (code: string | undefined) =>
  ['en', ...languagesWith('server')].find((language) => languageCode(language) === code)

/**
 * Returns the ends of a page's addresses by language, the account's first. One that the install no longer has, or whose
 * letters are another's, is none of them.
 */
const endingsOf = ({ language: base, pageLanguages }: AccountFacts) =>
  new Map([
    [base, ''],
    ...pageLanguages
      .filter((language) => language !== base && languageOfCode(languageCode(language)) === language)
      .map((language) => [language, `/${languageCode(language)}`] as const),
  ])

/**
 * Returns the facts of the page at an address that the program ever had, or of a group's page below it, in one of its
 * languages; undefined for an unknown one, one that is off or disabled.
 */
export async function findPageFacts(
  db: Database,
  { slug, joinSlug, code }: PageAddress,
): Promise<PageFacts | undefined> {
  const accountId = await accountOfSlug(db, slug)
  if (accountId === undefined) return undefined
  return transaction(db, async (tx) => {
    const account = (await getAccountFacts(tx, [accountId])).get(accountId)
    const program = await getProgramRow(tx, accountId)
    if (!account || account.disabledAt || program.state === 'off' || program.slug === null) return undefined
    const group = joinSlug === undefined ? null : await groupBySlug(tx, accountId, joinSlug)
    if (group === undefined) return undefined
    const language = languageAt(account, code)
    if (language === undefined) return undefined
    return readPageFacts(tx, account, { ...program, slug: program.slug }, group, language)
  })
}

/** Returns the language of the account's page at the address with this code; undefined if it isn't in it. */
function languageAt(account: AccountFacts, code: string | undefined) {
  const ending = code === undefined ? '' : `/${code}`
  return [...endingsOf(account)].find(([, one]) => one === ending)?.[0]
}

/** Returns the facts of a page with this program, which may not be saved, in a language. */
export async function readPageFacts(
  tx: Transaction,
  account: AccountFacts,
  program: PageFacts['program'],
  group: PageFacts['group'],
  language: Language,
): Promise<PageFacts> {
  const accountId = account.id
  const endings = endingsOf(account)
  const visits = await tx.one<{ cookieDays: number | null; models: string[] }>`
    select max(cookie_days) as cookie_days,
      coalesce(array_agg(distinct coalesce(attribution_model, ${account.attributionModel})), '{}') as models
    from link_blueprints where account_id = ${accountId} and enabled and archived_at is null`
  const [model, other] = visits.models
  return {
    account,
    program,
    group,
    path: ['/join', program.slug, ...(group ? [group.joinSlug] : [])].join('/') + (endings.get(language) ?? ''),
    language,
    endings,
    look: await getLook(tx, accountId),
    promised: await promisedCommission(tx, account, group?.id ?? null),
    offer: group?.reward ? await findOfferOfGroup(tx, accountId, group.id) : null,
    ...(await newestIn(tx, accountId, language)),
    howPaid: await howPaid(tx, account),
    cookieDays: visits.cookieDays,
    attribution: other === undefined ? ((model as PageFacts['attribution']) ?? account.attributionModel) : null,
    isFull: await areFull(tx, accountId, MOST_WAITING),
  }
}
