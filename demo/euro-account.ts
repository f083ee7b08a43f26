import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { changeAccount as changeAccountCall } from '#contract/accounts.ts'
import { changePartner as changePartnerCall, createPartner as createPartnerCall } from '#contract/partners.ts'
import { createPaymentFile, type PaymentFile } from '#contract/payment-files.ts'
import type { ApprovalPreview } from '#contract/payouts.ts'
import { userAuthor } from '../server/platform/author.ts'
import { transaction } from '../server/platform/database/pool.ts'
import { dayIn } from '../server/platform/time/days.ts'
import type { Actor } from '../server/program/access/actor.ts'
import { changeAccount, createAccount } from '../server/program/accounts/accounts.ts'
import { setUpToken } from '../server/program/auth/invitations.ts'
import { saveInvoiceDetails } from '../server/program/invoicing/details.ts'
import { changeInvoicingSettings } from '../server/program/invoicing/settings.ts'
import { captureLead } from '../server/program/leads/capture-lead.ts'
import { createLinkBlueprint } from '../server/program/links/link-blueprints.ts'
import { changePartner } from '../server/program/partners/change-partner.ts'
import { createPartner } from '../server/program/partners/create-partner.ts'
import { downloadPaymentFile } from '../server/program/payment-files/files.ts'
import { makePaymentFile } from '../server/program/payment-files/make-file.ts'
import { applyResults } from '../server/program/payment-files/results.ts'
import { approvePayouts } from '../server/program/payouts/approve.ts'
import { changeAutoPayoutSettings } from '../server/program/payouts/auto-payout-settings.ts'
import { connectApp } from '../server/program/payouts/connect-app.ts'
import { gatherDue, pollTransfers } from '../server/program/payouts/jobs.ts'
import { saveSepa } from '../server/program/payouts/method-settings.ts'
import { savePayoutSettings } from '../server/program/payouts/payout-settings.ts'
import { listPayouts } from '../server/program/payouts/payouts.ts'
import { recordByHand } from '../server/program/sales/record-by-hand.ts'
import { workOff } from './drain-jobs.ts'
import { isOfFirst, type Payee, payees, toEmail } from './euro-partners.ts'
import { companies, firstNames, lastNames } from './people.ts'
import { PAYPAL_APP, WISE_PROFILE_ID_EUROPE, WISE_TOKEN } from './providers.ts'
import { acceptAsPartner, acceptAsUser, personAs } from './sign-ups.ts'
import { DAY_MS, freshlyConfirmed, getAccess, type Harbor, type Story, toMoment } from './story.ts'

const TIME_ZONE = 'Europe/Berlin'
const OPENED = 158
/** Days before today on which Wise and PayPal are connected, as partners come from more countries. */
const CONNECTED = 90
/** Part of a day from its start to a morning in Berlin. */
const MORNING = 0.2
/** Days before today on which a payment file is made, and its bank's report is read three days later. */
const PAID = [97, 66, 35]
/** The bank of one partner returns the second payment. */
const RETURNED = 57

type Europe = { id: string; owner: Actor; partners: Map<string, string> }

/**
 * Plans a second account of the same owner, in euros: self-billing invoices, SEPA files to a few partners, a credit note,
 * and later a payday of forty partners in six countries by SEPA file, Wise and PayPal.
 */
export function planEuroAccount(story: Story, { owner }: Harbor, admin: Actor) {
  const { course } = story
  const on = (days: number, work: () => Promise<unknown>) => course.alone(toMoment(story, days), work)
  const [first, later] = [payees.filter(isOfFirst), payees.filter((payee) => !isOfFirst(payee))]
  const payday = paydayOf(story)
  let europe: Europe
  on(OPENED, async () => {
    europe = await open(story, owner, admin)
    for (const payee of first) await addPartner(story, europe, payee)
    planSales(story, europe, first)
    planSalesBefore(story, europe, payday)
  })
  on(CONNECTED, () => connectProviders(story, europe))
  for (const payee of later) on(payee.joined, () => addPartner(story, europe, payee))
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
  on(payday - MORNING, async () => {
    const file = await download(story, europe, await payByFile(story, europe))
    await approveOthers(story, europe)
    on(payday - 1, async () => {
      story.standIns.wise.move('processing', 'outgoing_payment_sent')
      await checkTransfers(story)
      await report(story, europe, bookedOneByOne(story, file))
    })
  })
  // Wise's money counts as arrived after five business days without a return
  on(payday - 9, () => checkTransfers(story))
}

/** Returns the days back to the last payday whose money has arrived everywhere by now. */
function paydayOf(story: Story) {
  for (let days = 10; ; days++)
    if (['01', '15'].includes(dayIn(TIME_ZONE, toMoment(story, days - MORNING)).slice(-2))) return days
}

async function open(story: Story, { email, userId }: Actor, admin: Actor): Promise<Europe> {
  const { services } = story
  const { db, config, secrets } = services
  const id = await transaction(db, (tx) =>
    createAccount(tx, services, userAuthor(admin), {
      name: 'Harbor Analytics Europe',
      owner: { email: email!, firstName: 'Elena', lastName: 'Marsh' },
    }),
  )
  await workOff(services)
  const invitation = await db.one<{ id: string; sendCount: number }>`
    select id, send_count from invitations where account_id = ${id} and kind = 'owner'`
  await acceptAsUser(story, email!, setUpToken(secrets, invitation))
  const elena = personAs(userId!, email!, { teamRoles: { [id]: 'owner' } })
  const by = userAuthor(elena)
  const access = await getAccess(story, changeAccountCall, elena, id)
  await transaction(db, (tx) =>
    changeAccount(tx, by, access, {
      defaultCurrency: 'eur',
      timeZone: TIME_ZONE,
      minimumPayout: 20_00,
      payoutDelay: 7,
      paydays: { every: 'month', days: [1, 15] },
      defaultCommissionSettings: { layerRates: [20] },
    }),
  )
  const { account } = await getAccess(story, createPartnerCall, elena, id)
  await transaction(db, async (tx) => {
    await saveSepa(tx, secrets, freshlyConfirmed(story, elena), account, debtor)
    await changeInvoicingSettings(tx, by, id, payer)
    await createLinkBlueprint(tx, config, by, account, {
      name: 'Testmonat',
      destinationUrl: 'https://harbor.example/de/testen',
    })
  })
  return { id, owner: elena, partners: new Map() }
}

/** Connects Wise for accounts in other currencies and PayPal for partners who prefer it, both after the SEPA file. */
async function connectProviders(story: Story, { id, owner }: Europe) {
  const { services } = story
  const { account } = await getAccess(story, changeAccountCall, owner, id)
  await changeAutoPayoutSettings(services, freshlyConfirmed(story, owner), account, {
    wiseToken: WISE_TOKEN,
    wiseProfileId: WISE_PROFILE_ID_EUROPE,
  })
  await connectApp(services, freshlyConfirmed(story, owner), account, 'paypal', { ...PAYPAL_APP, automatic: false })
}

const debtor = {
  name: 'Harbor Analytics Europe GmbH',
  iban: 'DE02120300000000202051',
  bic: 'BYLADEM1001',
  address: { country: 'DE', city: 'Hamburg', addressLine: 'Am Sandtorkai 30', zipCode: '20457' },
}

const payer = {
  enabled: true,
  legalName: debtor.name,
  country: 'DE',
  vatId: 'DE136695976',
  vatRate: 19,
  address: { addressLine: 'Am Sandtorkai 30', zipCode: '20457', city: 'Hamburg', state: null },
}

async function addPartner(story: Story, { id: accountId, owner, partners }: Europe, payee: Payee) {
  const { services } = story
  const { db } = services
  const by = userAuthor(owner)
  const { first, last, code, country, address, vatId, smallBusiness, details } = payee
  const email = toEmail(payee)
  const access = await getAccess(story, createPartnerCall, owner, accountId)
  const { id } = await transaction(db, (tx) =>
    createPartner(tx, services, by, access, {
      firstName: first,
      lastName: last,
      email,
      referralCode: `eu-${code}`,
      sendInvitation: true,
    }),
  )
  await workOff(services)
  const partner = await acceptAsPartner(story, id, email, false)
  const { account } = access
  const of = { account, accountId, accountName: 'Harbor Analytics Europe', partnerId: id }
  const year = story.before(0).getUTCFullYear()
  await transaction(db, async (tx) => {
    const own = await getAccess(story, changePartnerCall, owner, id)
    await changePartner(tx, services, by, own, { approvedPayoutYears: [year - 1, year] })
    await savePayoutSettings(tx, services, freshlyConfirmed(story, partner), of, details)
    await saveInvoiceDetails(tx, userAuthor(partner), of, {
      legalName: `${first} ${last}`,
      address: { ...address, state: null },
      country,
      vatId,
      // a small business in the payer's country has no VAT ID
      taxNumber: smallBusiness ? '22/815/08154' : null,
      companyNumber: null,
      peppolId: null,
      smallBusiness,
      agreed: true,
    })
  })
  partners.set(code, id)
}

/** Two customers of each partner, who pay every month. */
function planSales(story: Story, europe: Europe, some: readonly Payee[]) {
  const { course, services } = story
  for (const [index, { code }] of some.entries())
    for (const [number, from] of [150, 128].entries()) {
      const days = []
      for (let day = from - 12; day > 0; day -= 31) days.push(day)
      const sale = { amount: 290_00 + index * 60_00 + number * 45_00, description: 'Team plan' }
      planCustomer(story, europe, { code, number: index * 2 + number, from: from - index, days, sale })
    }
  course.alone(new Date(story.clock.now().getTime() + DAY_MS), () => workOff(services))
}

/** A new customer of every partner, whose commission is due by the payday; some have paid for another month since. */
function planSalesBefore(story: Story, europe: Europe, payday: number) {
  for (const [at, { code }] of payees.entries()) {
    const day = payday + 8 + (at % 8)
    const seats = 4 + ((at * 7) % 11)
    const isAnnual = at % 5 === 2
    const days = at % 3 === 0 && !isAnnual ? [day, 2 + (at % 5)] : [day]
    const sale = {
      amount: seats * (isAnnual ? 290_00 : 29_00),
      description: `${isAnnual ? 'Annual plan' : 'Team plan'}, ${seats} seats`,
    }
    planCustomer(story, europe, { code, number: 20 + at, from: day + 9, days, sale })
  }
}

type Customer = {
  code: string
  number: number
  from: number
  days: number[]
  sale: { amount: number; description: string }
}

function planCustomer(story: Story, europe: Europe, { code, number, from, days, sale }: Customer) {
  const { course } = story
  const { id: accountId, owner } = europe
  const [firstName, lastName] = [firstNames[(number * 7) % 40]!, lastNames[(number * 11) % 40]!]
  const { name: company, domain } = companies[(number * 37 + 11) % companies.length]!
  const person = { firstName, lastName, company, email: `${firstName.toLowerCase()}@${domain}` }
  course.at(toMoment(story, from), async (tx) => {
    const { account } = await getAccess(story, createPartnerCall, owner, accountId)
    const { leadId } = await captureLead(tx, account, {
      source: 'embed' as const,
      ...person,
      referralCode: `eu-${code}`,
    })
    const of = { as: 'owner' as const, account, subjectId: leadId, partnerId: null }
    for (const day of days) course.at(toMoment(story, day), (later) => recordByHand(later, userAuthor(owner), of, sale))
  })
}

/** Makes a payment file of everything that is due. */
async function payByFile(story: Story, { id, owner }: Europe): Promise<PaymentFile> {
  const { services } = story
  await gatherDue(services)
  const actor = freshlyConfirmed(story, owner)
  const access = await getAccess(story, createPaymentFile, actor, id)
  const caller = { services, actor, access, by: userAuthor(actor), byProgram: false }
  const executionDate = dayIn(TIME_ZONE, story.clock.now())
  const everything = { method: 'sepa', all: true, executionDate } as const
  const preview = (await makePaymentFile(caller, { ...everything, preview: true })).body as ApprovalPreview
  const { body } = await makePaymentFile(caller, { ...everything, shown: preview.payouts })
  await workOff(services)
  return body as PaymentFile
}

/** Downloads the file as the owner does who takes it to the bank. */
async function download(story: Story, { id, owner }: Europe, file: PaymentFile) {
  const { account } = await getAccess(story, createPaymentFile, owner, id)
  const { body } = await downloadPaymentFile(story.services, userAuthor(owner), account, file.id)
  return text(body as Readable)
}

/** Approves what is due by any other method. */
async function approveOthers(story: Story, { id, owner }: Europe) {
  const { services } = story
  const { db } = services
  const { account } = await getAccess(story, createPaymentFile, owner, id)
  const query = { limit: 100, sort: 'createdAt', status: ['due'] }
  const { items } = await listPayouts(db, account, query, { reader: 'owner' })
  const ids = items.map((payout) => payout.id)
  await transaction(db, (tx) => approvePayouts(tx, services, freshlyConfirmed(story, owner), account, ids))
  await workOff(services)
}

async function checkTransfers({ services }: Story) {
  await pollTransfers(services)
  await workOff(services)
}

async function report(story: Story, { id, owner }: Europe, file: string) {
  const { services } = story
  const { account } = await getAccess(story, createPaymentFile, owner, id)
  await transaction(services.db, (tx) =>
    applyResults(tx, services.secrets, userAuthor(owner), account, { file, dryRun: false }),
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
  statement([entry(story, 'DBIT', amount, `<Btch><PmtInfId>${messageId}</PmtInfId></Btch>`)])

/** The bank's statement after it has carried the file out: each of its payments was debited by itself. */
const bookedOneByOne = (story: Story, file: string) =>
  statement(
    [...file.matchAll(PAYMENT)].map(([, reference, amount]) =>
      entry(
        story,
        'DBIT',
        Math.round(Number(amount) * 100),
        `<TxDtls><Refs><EndToEndId>${reference}</EndToEndId></Refs></TxDtls>`,
      ),
    ),
  )

const PAYMENT = /<EndToEndId>([^<]+)<\/EndToEndId>.*?<InstdAmt Ccy="EUR">([\d.]+)</gs

/** The bank's statement: a payee's bank sent the money back, as the account is closed. */
const returned = (story: Story, reference: string, amount: number) => {
  const details = `<Refs><EndToEndId>${reference}</EndToEndId></Refs><RtrInf><Rsn><Cd>AC04</Cd></Rsn></RtrInf>`
  return statement([entry(story, 'CRDT', amount, `<TxDtls>${details}</TxDtls>`)])
}

const statement = (entries: string[]) =>
  `<?xml version="1.0" encoding="UTF-8"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08">
<BkToCstmrStmt><Stmt><Acct><Id><IBAN>${debtor.iban}</IBAN></Id></Acct>${entries.join('\n')}</Stmt></BkToCstmrStmt></Document>`

const entry = ({ clock }: Story, sign: 'DBIT' | 'CRDT', amount: number, details: string) =>
  `<Ntry><Amt Ccy="EUR">${(amount / 100).toFixed(2)}</Amt><CdtDbtInd>${sign}</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts>
<BookgDt><Dt>${dayIn(TIME_ZONE, clock.now())}</Dt></BookgDt><NtryDtls>${details}</NtryDtls></Ntry>`
