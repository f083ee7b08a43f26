import { changeAccount as changeAccountCall } from '#contract/accounts.ts'
import { changePartner as changePartnerCall, createPartner as createPartnerCall } from '#contract/partners.ts'
import { createPaymentFile, type PaymentFile } from '#contract/payment-files.ts'
import { byUser } from '../server/platform/author.ts'
import { transaction } from '../server/platform/database/pool.ts'
import type { Actor } from '../server/program/access/actor.ts'
import { changeAccount, createAccount } from '../server/program/accounts/accounts.ts'
import { setUpToken } from '../server/program/auth/invitations.ts'
import { saveInvoiceDetails } from '../server/program/invoicing/details.ts'
import { changeInvoicingSettings } from '../server/program/invoicing/settings.ts'
import { captureLead } from '../server/program/leads/capture-lead.ts'
import { createLinkBlueprint } from '../server/program/links/link-blueprints.ts'
import { changePartner } from '../server/program/partners/change-partner.ts'
import { createPartner } from '../server/program/partners/create-partner.ts'
import { makePaymentFile } from '../server/program/payment-files/make-file.ts'
import { applyResults } from '../server/program/payment-files/results.ts'
import { gatherDue } from '../server/program/payouts/jobs.ts'
import { saveSepa } from '../server/program/payouts/method-settings.ts'
import { savePayoutSettings } from '../server/program/payouts/payout-settings.ts'
import { recordByHand } from '../server/program/sales/record-by-hand.ts'
import { accept, acceptAsPartner, personAs } from './sign-ups.ts'
import { accessOf, DAY_MS, fresh, type Harbor, momentOf, type Story } from './story.ts'
import { workOff } from './work-off.ts'

const OPENED = 158
/** Days before today on which a payment file is made, and its bank's report is read three days later. */
const PAID = [97, 66, 35]
/** The bank of one partner returns the second payment. */
const RETURNED = 57

type Payee = { first: string; last: string; code: string; country: string; city: string; zipCode: string; iban: string }
type Europe = { id: string; owner: Actor; partners: Map<string, string> }

/** Partners in four countries; of the one without a VAT ID no invoice is issued. */
const payees: (Payee & { vatId: string | null; smallBusiness?: true })[] = [
  {
    ...{ first: 'Anke', last: 'Vogel', code: 'anke', country: 'DE', city: 'Köln', zipCode: '50668' },
    ...{ iban: 'DE89370400440532013000', vatId: 'DE811907980' },
  },
  {
    ...{ first: 'Margaux', last: 'Petit', code: 'margaux', country: 'FR', city: 'Lyon', zipCode: '69002' },
    ...{ iban: 'FR7630006000011234567890189', vatId: 'FR83404833048' },
  },
  {
    ...{ first: 'Bram', last: 'de Wit', code: 'bram', country: 'NL', city: 'Utrecht', zipCode: '3511 AB' },
    ...{ iban: 'NL91ABNA0417164300', vatId: null },
  },
  {
    ...{ first: 'Jonas', last: 'Lindner', code: 'jonas', country: 'DE', city: 'Leipzig', zipCode: '04109' },
    ...{ iban: 'DE75512108001245126199', vatId: null, smallBusiness: true },
  },
]

/** Plans a small account in euros of the same owner: SEPA files, self-billing invoices, and a credit note. */
export function planEuroAccount(story: Story, { owner }: Harbor, admin: Actor) {
  const { course } = story
  const on = (days: number, work: () => Promise<unknown>) => course.alone(momentOf(story, days), work)
  let europe: Europe
  on(OPENED, async () => {
    europe = await open(story, owner, admin)
    planSales(story, europe)
  })
  for (const days of PAID) {
    on(days, async () => {
      const { messageId, amount } = await payByFile(story, europe)
      on(days - 3, () => report(story, europe, booked(story, messageId, amount)))
    })
  }
  on(RETURNED, async () => {
    const { reference, amount } = await lastPaid(story, europe, 'anke')
    await report(story, europe, returned(story, reference, amount))
  })
}

async function open(story: Story, { email, userId }: Actor, admin: Actor): Promise<Europe> {
  const { services } = story
  const { db, config, secrets } = services
  const id = await transaction(db, (tx) =>
    createAccount(tx, services, byUser(admin), {
      ...{ name: 'Harbor Analytics Europe', owner: { email: email!, firstName: 'Elena', lastName: 'Marsh' } },
    }),
  )
  await workOff(services)
  const invitation = await db.one<{ id: string; sendCount: number }>`
    select id, send_count from invitations where account_id = ${id} and kind = 'owner'`
  await accept(story, email!, setUpToken(secrets, invitation))
  const elena = personAs(userId!, email!, { teamRoles: { [id]: 'owner' } })
  const by = byUser(elena)
  const access = await accessOf(story, changeAccountCall, elena, id)
  await transaction(db, (tx) =>
    changeAccount(tx, by, access, {
      ...{ defaultCurrency: 'eur', timeZone: 'Europe/Berlin', minimumPayout: 20_00, payoutDelay: 7 },
      paydays: { every: 'month', days: [1, 15] },
      defaultCommissionSettings: { layerRates: [20] },
    }),
  )
  const { account } = await accessOf(story, createPartnerCall, elena, id)
  await transaction(db, async (tx) => {
    await saveSepa(tx, secrets, fresh(story, elena), account, debtor)
    await changeInvoicingSettings(tx, by, id, payer)
    await createLinkBlueprint(tx, config, by, account, {
      ...{ name: 'Testmonat', destinationUrl: 'https://harbor.example/de/testen' },
    })
  })
  const partners = new Map<string, string>()
  for (const payee of payees) partners.set(payee.code, await addPartner(story, id, elena, payee))
  return { id, owner: elena, partners }
}

const debtor = {
  ...{ name: 'Harbor Analytics Europe GmbH', iban: 'DE02120300000000202051', bic: 'BYLADEM1001' },
  address: { country: 'DE', city: 'Hamburg', addressLine: 'Am Sandtorkai 30', zipCode: '20457' },
}

const payer = {
  ...{ enabled: true, legalName: debtor.name, country: 'DE', vatId: 'DE136695976', vatRate: 19 },
  address: { addressLine: 'Am Sandtorkai 30', zipCode: '20457', city: 'Hamburg', state: null },
}

async function addPartner(story: Story, accountId: string, owner: Actor, payee: (typeof payees)[number]) {
  const { services } = story
  const { db } = services
  const by = byUser(owner)
  const { first, last, code, country, city, zipCode, iban, vatId, smallBusiness = false } = payee
  const email = `${code}@${last.toLowerCase().replaceAll(' ', '')}.example`
  const access = await accessOf(story, createPartnerCall, owner, accountId)
  const { id } = await transaction(db, (tx) =>
    createPartner(tx, services, by, access, {
      ...{ firstName: first, lastName: last, email, referralCode: `eu-${code}`, sendInvitation: true },
    }),
  )
  await workOff(services)
  const partner = await acceptAsPartner(story, id, email, false)
  const { account } = access
  const of = { account, accountId, accountName: 'Harbor Analytics Europe', partnerId: id }
  const year = story.before(0).getUTCFullYear()
  const name = `${first} ${last}`
  const address = { addressLine: 'Marktplatz 4', zipCode, city }
  await transaction(db, async (tx) => {
    const own = await accessOf(story, changePartnerCall, owner, id)
    await changePartner(tx, services, by, own, { approvedPayoutYears: [year - 1, year] })
    await savePayoutSettings(tx, services, fresh(story, partner), of, {
      ...{ kind: 'iban', legalType: 'PRIVATE', name, iban, bic: null, address: { ...address, country } },
    })
    await saveInvoiceDetails(tx, byUser(partner), of, {
      ...{ legalName: name, address: { ...address, state: null }, country, vatId, smallBusiness, agreed: true },
    })
  })
  return id
}

/** Two customers of each partner, who pay every month. */
function planSales(story: Story, europe: Europe) {
  const { course, services } = story
  const { id: accountId, owner } = europe
  for (const [index, { code }] of payees.entries())
    for (const [number, from] of [150, 128].entries()) {
      const email = `kunde-${index}${number}@firma.example`
      course.at(momentOf(story, from - index), async (tx) => {
        const { account } = await accessOf(story, createPartnerCall, owner, accountId)
        const person = { firstName: 'Kunde', lastName: `Nr. ${index * 2 + number + 1}`, email }
        const lead = { source: 'embed' as const, ...person, referralCode: `eu-${code}` }
        const { leadId } = await captureLead(tx, account, lead)
        for (let days = from - 12; days > 0; days -= 31)
          course.at(momentOf(story, days), (later) => {
            const sale = { amount: 290_00 + index * 60_00 + number * 45_00, description: 'Team-Tarif' }
            return recordByHand(
              later,
              byUser(owner),
              { as: 'owner', account, subjectId: leadId, partnerId: null },
              sale,
            )
          })
      })
    }
  course.alone(new Date(story.clock.now().getTime() + DAY_MS), () => workOff(services))
}

/** Makes a payment file of everything that is due. */
async function payByFile(story: Story, { id, owner }: Europe): Promise<PaymentFile> {
  const { services } = story
  await gatherDue(services)
  const actor = fresh(story, owner)
  const access = await accessOf(story, createPaymentFile, actor, id)
  const caller = { services, actor, access, by: byUser(actor), byProgram: false }
  const { body } = await makePaymentFile(caller, { method: 'sepa', all: true })
  await workOff(services)
  return body as PaymentFile
}

async function report(story: Story, { id, owner }: Europe, file: string) {
  const { services } = story
  const { account } = await accessOf(story, createPaymentFile, owner, id)
  await transaction(services.db, (tx) =>
    applyResults(tx, services.secrets, byUser(owner), account, { file, dryRun: false }),
  )
  await workOff(services)
}

async function lastPaid({ services: { db } }: Story, { partners }: Europe, code: string) {
  const [last] = await db.many<{ reference: string; amount: number }>`
    select external_reference as reference, pay_amount as amount from payouts
    where partner_id = ${partners.get(code)} and status = 'paid' order by paid_at desc limit 1`
  if (!last) throw new Error(`${code} was not paid`)
  return last
}

/** The bank's statement: the whole file was debited. */
const booked = (story: Story, messageId: string, amount: number) =>
  statement(story, 'DBIT', amount, `<Btch><PmtInfId>${messageId}</PmtInfId></Btch>`)

/** The bank's statement: a payee's bank sent the money back, as the account is closed. */
const returned = (story: Story, reference: string, amount: number) =>
  statement(
    story,
    'CRDT',
    amount,
    `<TxDtls><Refs><EndToEndId>${reference}</EndToEndId></Refs><RtrInf><Rsn><Cd>AC04</Cd></Rsn></RtrInf></TxDtls>`,
  )

const statement = ({ clock }: Story, sign: 'DBIT' | 'CRDT', amount: number, details: string) =>
  `<?xml version="1.0" encoding="UTF-8"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08">
<BkToCstmrStmt><Stmt><Acct><Id><IBAN>${debtor.iban}</IBAN></Id></Acct><Ntry><Amt Ccy="EUR">${(amount / 100).toFixed(2)}</Amt>
<CdtDbtInd>${sign}</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>${clock.now().toISOString().slice(0, 10)}</Dt></BookgDt>
<NtryDtls>${details}</NtryDtls></Ntry></Stmt></BkToCstmrStmt></Document>`
