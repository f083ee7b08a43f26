import { MOST_SLUGS, type Program, type ProgramChange } from '#contract/applications.ts'
import type { Language } from '#contract/language.ts'
import { LONGEST_SLUG } from '#contract/slugs.ts'
import { type Author, diffFields, system } from '../../platform/author.ts'
import type { Config } from '../../platform/config/config.ts'
import { linksChanged } from '../../platform/database/links-changed.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { recordActivity } from '../../platform/events/emit-event.ts'
import { omitUndefined } from '../../platform/omit-undefined.ts'
import { refusal, wrongField } from '../../platform/refusal.ts'
import { changeTranslations } from '../../platform/translations.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { blockBookings } from '../access/lock-accounts.ts'
import { programUrl } from '../accounts/accounts.ts'
import { portalUrl } from '../custom-domains/portal-url.ts'
import {
  accountOfSlug,
  claimSlug,
  dropSlug,
  getProgramRow,
  numberOfSlugs,
  type ProgramRow,
  writeProgram,
} from './queries.ts'

type Account = Pick<AccountFacts, 'id' | 'portalHost' | 'language'>

export const getProgram = async (db: Queryable, config: Config, account: Account): Promise<Program> =>
  present(config, account, await getProgramRow(db, account.id))

const present = (config: Config, account: Account, program: ProgramRow): Program => ({
  ...program,
  url: program.state === 'off' || program.slug === null ? null : programUrl(portalUrl(config, account), program.slug),
})

/**
 * Changes the account's page. A new address stays the account's, and the former ones lead to it.
 * Refuses: `duplicate` for an address that another account ever had; `invalid_state` for a page without one, or one
 * address too many; translations into the account's own language.
 */
export async function saveProgram(
  tx: Transaction,
  config: Config,
  by: Author,
  account: Account,
  change: ProgramChange,
): Promise<Program> {
  const accountId = account.id
  await blockBookings(tx, accountId)
  const before = await getProgramRow(tx, accountId)
  const program = { ...before, ...withTranslations(account.language, before, change) }
  const changes = diffFields(before, program)
  if (Object.keys(changes).length === 0) return present(config, account, before)
  if (program.state !== 'off' && program.slug === null) throw wrongField('slug', 'program_without_slug')
  if (program.slug !== null && program.slug !== before.slug) await changeSlug(tx, accountId, program.slug)
  await writeProgram(tx, accountId, program)
  await linksChanged(tx, accountId)
  await recordActivity(tx, by, accountId, 'program.saved', { id: accountId, changes })
  return present(config, account, program)
}

/** Returns the fields that a change sets, its translations added to those before. */
export function withTranslations(language: Language, before: ProgramRow, change: ProgramChange): Partial<ProgramRow> {
  const { translations, ...rest } = change
  change.questions?.forEach((question, at) => {
    changeTranslations({}, question.translations, language, `questions.${at}.translations`)
  })
  return {
    ...(omitUndefined(rest) as Partial<ProgramRow>),
    translations: changeTranslations(before.translations, translations, language),
  }
}

async function changeSlug(tx: Transaction, accountId: string, slug: string) {
  if ((await claimSlug(tx, accountId, slug)) !== accountId) throw wrongField('slug', 'slug_taken')
  if ((await numberOfSlugs(tx, accountId)) > MOST_SLUGS) throw refusal('too_many_slugs', { max: MOST_SLUGS })
}

/**
 * Takes the address of an imported program if it is free, else the first free one with a number at its end. Returns the
 * former and the new one if they differ.
 */
export async function claimImportedSlug(tx: Transaction, accountId: string) {
  const program = await getProgramRow(tx, accountId)
  if (program.slug === null) return null
  for (let number = 1; ; number++) {
    const end = number === 1 ? '' : `-${number}`
    const slug = program.slug.slice(0, LONGEST_SLUG - end.length) + end
    if ((await claimSlug(tx, accountId, slug)) !== accountId) continue
    if (slug === program.slug) return null
    await writeProgram(tx, accountId, { ...program, slug })
    return { former: program.slug, slug }
  }
}

/**
 * Takes an address from its account, so that the next one to ask has it: for an operator whom the owner of a name asks
 * for it. If it is the present one, the page is off until its owner chooses another. Returns the account, or undefined if
 * no account has the address.
 */
export async function freeSlug(tx: Transaction, slug: string) {
  const accountId = await accountOfSlug(tx, slug)
  if (accountId === undefined) return undefined
  await blockBookings(tx, accountId)
  await dropSlug(tx, slug)
  const before = await getProgramRow(tx, accountId)
  const wasShown = before.slug === slug
  if (wasShown) {
    const change = { state: 'off', slug: null } as const
    await writeProgram(tx, accountId, { ...before, ...change })
    await recordActivity(tx, system, accountId, 'program.saved', { id: accountId, changes: diffFields(before, change) })
  }
  await linksChanged(tx, accountId)
  return { accountId, wasShown }
}
