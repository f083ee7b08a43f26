import type { Transaction } from '#server/platform/database/pool.ts'
import type { Services } from '#server/platform/services.ts'
import { type EmbedFacts, embeddedBy } from './queries.ts'
import { receiveLead } from './receive-lead.ts'

type Form = { email: string; clickId: string; referralCode: string; pageUrl: string }

/**
 * Returns the outcome of a form on an account's page, in a transaction that is rolled back; undefined without embed
 * code. `domains`: the pages whose leads are accepted.
 */
export async function rehearseLead(tx: Transaction, { log }: Pick<Services, 'log'>, accountId: string, form: Form) {
  const embedded: EmbedFacts | undefined = await embeddedBy(tx, { accountId })
  if (!embedded) return undefined
  const received = await receiveLead({ db: tx, log }, embedded, form, new URL(form.pageUrl).origin)
  return { ...received, domains: embedded.domains }
}
