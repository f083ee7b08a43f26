import type { TaxForm, TaxFormSource } from '#contract/partners.ts'
import { getDetailKind, getHolder } from '#contract/payout-settings.ts'
import { certifications } from '#contract/tax-certifications.ts'
import { endOfTin, getExpiry, mayBeTin } from '#contract/tax-rules.ts'
import { userAuthor } from '#server/platform/author.ts'
import { newId } from '#server/platform/database/ids.ts'
import type { Queryable, Transaction } from '#server/platform/database/pool.ts'
import { openIfOurs, type Secrets } from '#server/platform/database/secrets.ts'
import { emitEvent } from '#server/platform/events/emit-event.ts'
import { notFound, wrongField } from '#server/platform/refusal.ts'
import { dayIn } from '#server/platform/time/days.ts'
import type { AccountFacts } from '#server/program/access/account-facts.ts'
import type { Actor } from '#server/program/access/actor.ts'
import { getInvoicingSettings } from '#server/program/invoicing/settings.ts'
import { plainName } from '#server/program/partner-directory/partner-names.ts'
import { openDetails, settingsPlace } from '#server/program/payouts/deposit-details.ts'
import type { NewTaxForm, TaxFormState } from '../contract.ts'

type OfPartner = { account: AccountFacts; partnerId: string }

/** The whole form as it is sealed, with what its partner certified. */
type SignedForm = NewTaxForm & { certification: string; signedOn: string; signedBy: string }

/** Sealing context of a form. */
const formPlace = (formId: string, accountId: string) => `tax_forms|form_sealed|${formId}|${accountId}`

/** Returns the form, null if it cannot be opened: sealed with another key, or emptied. */
export function openForm(secrets: Secrets, accountId: string, id: string, sealed: Buffer | null): SignedForm | null {
  const text = sealed && openIfOurs(secrets, sealed, formPlace(id, accountId))
  return text === null ? null : JSON.parse(text)
}

type Shown = Pick<TaxFormState, 'tinType' | 'tinLast4' | 'classification'>
type StateRow = Shown & { record: (TaxForm & { source?: TaxFormSource }) | null }

const nothingShown: Shown = { tinType: null, tinLast4: null, classification: null }

/** Returns the form that counts, without its number. */
export async function getTaxForm(db: Queryable, { account, partnerId }: OfPartner): Promise<TaxFormState> {
  const { taxForms: wanted } = await getInvoicingSettings(db, account.id)
  const { record, ...shown } = await db.one<StateRow>`
    select n.tax_form as record, f.tin_type, f.tin_last4, f.classification
    from partners n
      left join tax_forms f on f.account_id = n.account_id and f.partner_id = n.id and f.replaced_at is null
    where n.account_id = ${account.id} and n.id = ${partnerId}`
  if (!record) return { wanted, kind: null, source: null, receivedOn: null, ...nothingShown, expiresOn: null }
  const { kind, receivedOn, source = 'owner' } = record
  return {
    wanted,
    kind,
    source,
    receivedOn,
    ...(source === 'partner' ? shown : nothingShown),
    expiresOn: getExpiry(record),
  }
}

/**
 * Seals a form that its partner signed; it replaces the one before, and what an owner recorded.
 * Refuses: `tin_wrong`; `tax_signature_wrong` unless the signature is the name on the form or of the payout details.
 */
export async function signTaxForm(
  tx: Transaction,
  secrets: Secrets,
  actor: Actor,
  { account, partnerId }: OfPartner,
  form: NewTaxForm,
): Promise<TaxFormState> {
  const receivedOn = dayIn(account.timeZone, tx.now)
  const tin = form.tin ?? null
  if (!mayBeTin(form.tinType, tin)) throw wrongField('tin', 'tin_wrong')
  if (form.kind === 'w-8ben' && !(form.birthDate < receivedOn && form.birthDate >= '1900-01-01'))
    throw wrongField('birthDate', 'birth_date_wrong')
  // serialized: of two that are signed at once, one replaces the other
  const partner = await tx.maybe`
    select from partners
    where account_id = ${account.id} and id = ${partnerId} and erased_at is null for no key update`
  if (!partner) throw notFound()
  const names = [form.name, await accountHolder(tx, secrets, account.id, partnerId)]
  if (!names.some((name) => name !== null && isSameName(name, form.signature)))
    throw wrongField('signature', 'tax_signature_wrong')

  await tx.run`
    update tax_forms set replaced_at = ${tx.now}
    where account_id = ${account.id} and partner_id = ${partnerId} and replaced_at is null`
  const id = newId()
  const { kind, tinType } = form
  const signed: SignedForm = {
    ...form,
    certification: certifications[kind],
    signedOn: receivedOn,
    signedBy: actor.userId,
  }
  await tx.run`
    insert into tax_forms (id, account_id, partner_id, number, kind, received_on, tin_type, tin_last4, classification,
      form_sealed, created_at)
    select ${id}, ${account.id}, ${partnerId}, coalesce(max(number), 0) + 1, ${kind}, ${receivedOn}::date, ${tinType},
      ${endOfTin(tin)}, ${form.kind === 'w-9' ? form.classification : null},
      ${secrets.seal(JSON.stringify(signed), formPlace(id, account.id))}, ${tx.now}
    from tax_forms where account_id = ${account.id} and partner_id = ${partnerId}`
  await tx.run`
    update partners set tax_form = ${JSON.stringify({ kind, receivedOn, source: 'partner' })}::jsonb, updated_at = ${tx.now}
    where account_id = ${account.id} and id = ${partnerId}`
  await emitEvent(tx, userAuthor(actor), account.id, 'partner.tax-form-updated', {
    id: partnerId,
    object: { partnerId, kind, receivedOn },
  })
  return getTaxForm(tx, { account, partnerId })
}

/** Returns the name of the partner's payout details; null without any. */
async function accountHolder(db: Queryable, secrets: Secrets, accountId: string, partnerId: string) {
  const row = await db.maybe<{ sealed: Buffer }>`
    select details_sealed as sealed from payout_settings
    where account_id = ${accountId} and partner_id = ${partnerId} and details_sealed is not null`
  const details = row && openDetails(secrets, row.sealed, settingsPlace(partnerId, accountId))
  return details && getDetailKind(details) !== 'paypal' ? getHolder(details) || null : null
}

const isSameName = (one: string, other: string) => plainName(one) === plainName(other)
