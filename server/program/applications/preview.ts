import type { z } from 'zod'
import type { ProgramTexts } from '#contract/applications.ts'
import type { Config } from '../../platform/config/config.ts'
import { type Database, transaction } from '../../platform/database/pool.ts'
import { dayIn } from '../../platform/time/days.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { portalUrl } from '../custom-domains/portal-url.ts'
import { programPage } from './page.ts'
import { readPageFacts } from './page-facts.ts'
import { pageStyle } from './page-style.ts'
import { withTranslations } from './program.ts'
import { getProgramRow } from './queries.ts'

/** Writes the public page with texts that are not saved; one that is off is shown as it would be open. */
export async function previewProgram(
  db: Database,
  config: Config,
  account: AccountFacts,
  { language = account.language, ...texts }: z.output<typeof ProgramTexts>,
) {
  return transaction(db, async (tx) => {
    const saved = await getProgramRow(tx, account.id)
    const { state, ...program } = { ...saved, ...withTranslations(account.language, saved, texts) }
    const shown = { ...program, state: state === 'closed' ? state : ('open' as const), slug: saved.slug ?? 'preview' }
    const facts = await readPageFacts(tx, account, shown, null, language)
    const today = dayIn(account.timeZone, tx.now)
    const html = programPage(facts, { origin: portalUrl(config, account), today, issued: '' })
    const style = pageStyle(facts.look.accent).text
    return { html: html.replace(`<style>${style}</style>`, ''), style }
  })
}
