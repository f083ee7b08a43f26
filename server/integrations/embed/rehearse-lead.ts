import type { Transaction } from '../../platform/database/pool.ts'
import type { Services } from '../../platform/services.ts'
import { type Embedded, embeddedBy } from './queries.ts'
import { receiveLead } from './receive-lead.ts'

type Form = { email: string; clickId: string; referralCode: string; pageUrl: string }

/**
 * The outcome of a form on a page of the account's, in a transaction that is rolled back; undefined without embed code.
 * `domains`: the pages from which leads are taken.
 */
export async function rehearseLead(tx: Transaction, { log }: Pick<Services, 'log'>, accountId: string, form: Form) {
  const embedded: Embedded | undefined = await embeddedBy(tx, { accountId })
  if (!embedded) return undefined
  const received = await receiveLead({ db: tx, log }, embedded, form, new URL(form.pageUrl).origin)
  return { ...received, domains: embedded.domains }
}
