import type { Json } from '#contract/payload-paths.ts'
import { Email, Phone } from '#contract/values.ts'
import { type Database, type Transaction, transaction } from '#server/platform/database/pool.ts'
import { Refusal } from '#server/platform/refusal.ts'
import type { Services } from '#server/platform/services.ts'
import { partnerByCode, resolveClick } from '#server/program/clicks/attribution.ts'
import { readReferral } from '#server/program/clicks/read-referral.ts'
import { isRecording } from '#server/program/clicks/recording.ts'
import { captureForm } from '#server/program/leads/capture-form.ts'
import { type Arrival, cleanAddress, readArrival } from '../../../embed/address.ts'
import { EmbeddedLead } from '../contract.ts'
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
  const sent = EmbeddedLead.safeParse(body)
  // Firefox names no origin for a page that sends no referrer; the script names the page
  if (!isAllowedOrigin(domains, origin === 'null' ? (sent.data?.pageUrl ?? origin) : origin)) {
    await countRefusedLead(db, account.id, origin?.slice(0, 300) ?? null)
    return { leadId: null, lack: 'origin' }
  }
  if (!sent.success) return { leadId: null, lack: 'form' }
  const { elapsedMs, pageUrl, submissionId, joins, corrects, ...lead } = sent.data
  const { firstName, lastName, referrer } = lead
  const person = { firstName, lastName, referrer }
  const landingUrl = pageUrl && isWebAddress(pageUrl) ? cleanAddress(pageUrl, parameters.names) : null
  const email = Email.safeParse(lead.email).data
  const phone = Phone.safeParse(lead.phone).data || undefined
  if (!email && !phone) return { leadId: null, lack: 'form' }
  try {
    return await transaction(db, async (tx): Promise<Received> => {
      const reference =
        (await referenceOf(tx, account.id, await sentBy(tx, account.id, lead))) ??
        // with first touch the script sends the visitor's earlier one, even after its window
        (await referenceOf(tx, account.id, readArrival(landingUrl ?? '', parameters)))
      if (onlyIfReferred && !reference) return { leadId: null, lack: 'reference' }
      const { leadId } = await captureForm(tx, account, {
        ...person,
        ...reference,
        email,
        phone,
        landingUrl,
        sent: filledFields({ ...sent.data, pageUrl: landingUrl }),
        form: submissionId ? { id: submissionId, joins: joins ?? null, corrects: corrects ?? false } : undefined,
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
const filledFields = (sent: EmbeddedLead) =>
  Object.fromEntries(Object.entries(sent).filter(([, value]) => value != null)) as Json

const isWebAddress = (text: string) => /^https?:$/.test(URL.parse(text)?.protocol ?? '')

/** Stored with the lead as an explanation. */
const flag = (elapsedMs: number) => ({ filledTooFast: 'true', elapsedMs: String(Math.round(elapsedMs)) })

/** Returns what the script sent, as one arrival. */
async function sentBy(tx: Transaction, accountId: string, { clickId, referralCode }: EmbeddedLead): Promise<Arrival> {
  const read = async (given: string | null | undefined, asksCode: boolean) =>
    given ? readReferral(tx, accountId, given, asksCode) : { codes: [], click: '' }
  const [byClick, byCode] = [await read(clickId, false), await read(referralCode, true)]
  return { codes: [...byCode.codes, ...byClick.codes], click: byClick.click || byCode.click }
}

/**
 * Returns the reference to credit. A code comes together with its click, so that a click outside its window invalidates
 * its code; if the click is unknown the code counts alone.
 */
async function referenceOf(tx: Transaction, accountId: string, arrival: Arrival | undefined) {
  if (!arrival) return null
  const click = arrival.click ? await resolveClick(tx, accountId, arrival.click, tx.now) : undefined
  if (click) return click.withinWindow ? { clickId: arrival.click, referralCode: arrival.codes[0] } : null
  const partner = await partnerByCode(tx, accountId, ...arrival.codes)
  return partner && { referralCode: partner.given }
}
