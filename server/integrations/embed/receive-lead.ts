import { EmbeddedLead } from '#contract/embed.ts'
import type { Json } from '#contract/payload-paths.ts'
import { Email, Phone } from '#contract/values.ts'
import { cleanAddress } from '../../../embed/address.ts'
import { type Database, type Transaction, transaction } from '../../platform/database/pool.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { Services } from '../../platform/services.ts'
import { partnerByCode, resolveClick } from '../../program/clicks/attribution.ts'
import { isRecording } from '../../program/clicks/grace.ts'
import { captureLead } from '../../program/leads/capture-lead.ts'
import { isAllowedOrigin } from './origin.ts'
import { countRefusedLead, type Embedded, noteLead } from './queries.ts'

/** Nobody fills in a form faster. */
const TOO_FAST_MS = 1000

/**
 * Takes a form sent from a customer's page. Its sender learns nothing of the outcome: neither that it is not kept (another
 * site's, nobody referred it, nobody can be reached by it), nor that the lead was known. Settles after the commit, with the
 * lead, or with the obstacle, for those who may know.
 */
export async function receiveLead(
  { db, log }: Pick<Services, 'log'> & { db: Database | Transaction },
  embedded: Embedded,
  body: unknown,
  origin: string | undefined,
): Promise<Received> {
  const { account, domains, onlyIfReferred, parameterNames } = embedded
  if (!isRecording(account, db.now)) return { leadId: null, lack: 'account' }
  if (!isAllowedOrigin(domains, origin)) {
    await countRefusedLead(db, account.id, origin?.slice(0, 300) ?? null)
    return { leadId: null, lack: 'origin' }
  }
  const sent = EmbeddedLead.safeParse(body)
  if (!sent.success) return { leadId: null, lack: 'form' }
  const { elapsedMs, pageUrl, ...lead } = sent.data
  const { firstName, lastName, referrer } = lead
  const person = { firstName, lastName, referrer }
  const landingUrl = pageUrl && isWebAddress(pageUrl) ? cleanAddress(pageUrl, parameterNames) : null
  const email = Email.safeParse(lead.email).data
  const phone = Phone.safeParse(lead.phone).data || undefined
  if (!email && !phone) return { leadId: null, lack: 'form' }
  try {
    return await transaction(db, async (tx): Promise<Received> => {
      const reference = await referenceOf(tx, account.id, lead)
      if (onlyIfReferred && !reference) return { leadId: null, lack: 'reference' }
      const { leadId } = await captureLead(tx, account, {
        ...person,
        ...reference,
        source: 'embed',
        email,
        phone,
        landingUrl,
        sent: given({ ...lead, pageUrl: landingUrl, elapsedMs }),
        metadata: typeof elapsedMs === 'number' && elapsedMs < TOO_FAST_MS ? flag(elapsedMs) : {},
      })
      await noteLead(tx, account.id)
      return { leadId, lack: null }
    })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    log.debug({ accountId: account.id, reason: error.message }, 'a lead of the embed script is not kept')
    return { leadId: null, lack: 'form' }
  }
}

/** `lack`: the account is disabled, the page is of another site, nobody can be reached by it, nobody referred it. */
type Received = { leadId: string; lack: null } | { leadId: null; lack: 'account' | 'origin' | 'form' | 'reference' }

/** The fields that were filled in. */
const given = (sent: EmbeddedLead) =>
  Object.fromEntries(Object.entries(sent).filter(([, value]) => value != null)) as Json

const isWebAddress = (text: string) => /^https?:$/.test(URL.parse(text)?.protocol ?? '')

/** Kept beside the lead for whoever wonders about it. */
const flag = (elapsedMs: number) => ({ filledTooFast: 'true', elapsedMs: String(Math.round(elapsedMs)) })

/**
 * By what the lead is credited. The script sends the code beside the click it came with, so that a click outside its
 * window takes its code with it; where the click is not known the code stands for itself.
 */
async function referenceOf(
  tx: Transaction,
  accountId: string,
  { clickId, referralCode }: Pick<EmbeddedLead, 'clickId' | 'referralCode'>,
) {
  const click = clickId ? await resolveClick(tx, accountId, clickId, tx.now) : undefined
  if (click) return click.withinWindow ? { clickId, referralCode } : null
  return referralCode && (await partnerByCode(tx, accountId, referralCode)) ? { referralCode } : null
}
