import { EmbeddedLead } from '#contract/embed.ts'
import type { Json } from '#contract/payload-paths.ts'
import { Email, Phone } from '#contract/values.ts'
import { arrivalOf, cleanAddress } from '../../../embed/address.ts'
import { type Database, type Transaction, transaction } from '../../platform/database/pool.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { Services } from '../../platform/services.ts'
import { partnerByCode, resolveClick } from '../../program/clicks/attribution.ts'
import { isRecording } from '../../program/clicks/recording.ts'
import { captureLead } from '../../program/leads/capture-lead.ts'
import { isAllowedOrigin } from './origin.ts'
import { countRefusedLead, type EmbedFacts, noteLead } from './queries.ts'

/** Milliseconds: no person fills in a form faster. */
const TOO_FAST_MS = 1000

/**
 * Receives a form sent from a customer's page. Its sender never learns the outcome: neither that it is dropped (another
 * site's, not referred, without contact data), nor that the lead was known. Settles after the commit, with the lead, or
 * with the reason for callers who may know.
 */
export async function receiveLead(
  { db, log }: Pick<Services, 'log'> & { db: Database | Transaction },
  embedded: EmbedFacts,
  body: unknown,
  origin: string | undefined,
): Promise<Received> {
  const { account, domains, onlyIfReferred, parameters } = embedded
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
  const landingUrl = pageUrl && isWebAddress(pageUrl) ? cleanAddress(pageUrl, parameters.names) : null
  const email = Email.safeParse(lead.email).data
  const phone = Phone.safeParse(lead.phone).data || undefined
  if (!email && !phone) return { leadId: null, lack: 'form' }
  try {
    return await transaction(db, async (tx): Promise<Received> => {
      const reference =
        (await referenceOf(tx, account.id, lead)) ??
        (await referenceOf(tx, account.id, arrivalAt(landingUrl, parameters)))
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

/** `lack`: the account is disabled, the page is of another site, there is no contact data, no one referred it. */
type Received = { leadId: string; lack: null } | { leadId: null; lack: 'account' | 'origin' | 'form' | 'reference' }

/** Returns the filled fields. */
const given = (sent: EmbeddedLead) =>
  Object.fromEntries(Object.entries(sent).filter(([, value]) => value != null)) as Json

const isWebAddress = (text: string) => /^https?:$/.test(URL.parse(text)?.protocol ?? '')

/** Stored with the lead as an explanation. */
const flag = (elapsedMs: number) => ({ filledTooFast: 'true', elapsedMs: String(Math.round(elapsedMs)) })

/**
 * Returns the reference in the page's own address: with first touch the script sends the visitor's earlier one, even after
 * its window.
 */
function arrivalAt(page: string | null, parameters: EmbedFacts['parameters']) {
  const { click = null, code = null } = (page && arrivalOf(page, parameters)) || {}
  return { clickId: click, referralCode: code }
}

/**
 * Returns the reference to credit. The script sends the code together with its click, so that a click outside its
 * window invalidates its code; if the click is unknown the code counts alone.
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
