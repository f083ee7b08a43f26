import type { Database } from '../../server/platform/database/pool.ts'
import { anAccount, aPartner, expectOk, signIn, type TestAccount, type TestApp } from './app.ts'

/** The account that SEPA files of the tests debit. */
export const sepaDebtor = {
  name: 'Acme GmbH',
  iban: 'DE89370400440532013000',
  bic: 'COBADEFFXXX',
  address: { country: 'DE', city: 'Köln', addressLine: 'Domstraße 1', zipCode: '50668' },
}

let debtors = 0

/** Returns the payer with a bank account that no other test of this process has. */
export function anotherDebtor() {
  const number = `370400440${532013000 + debtors++}`
  const check = 98n - (BigInt(`${number}131400`) % 97n)
  return { ...sepaDebtor, iban: `DE${String(check).padStart(2, '0')}${number}` }
}

export const euroDetails = (fields: object = {}) => ({
  kind: 'iban',
  legalType: 'PRIVATE',
  name: 'Zoë Müller',
  iban: 'FR7630006000011234567890189',
  address: { country: 'FR', city: 'Lyon', addressLine: '1 rue du Bac', zipCode: '69002' },
  ...fields,
})

/** An account in euros that pays by SEPA file. */
export async function aEuroAccount(app: TestApp, fields: Record<string, unknown> = {}) {
  const account = await anAccount(app, { defaultCurrency: 'eur', payoutDelay: 0, minimumPayout: 0, ...fields })
  await switchSepaOn(app, account)
  return account
}

export const switchSepaOn = async (app: TestApp, account: TestAccount, fields: object = {}) => {
  expectOk(
    await app.api('PUT', `/accounts/${account.id}/payout-methods/sepa`, {
      ...{ token: account.token, body: { ...sepaDebtor, ...fields } },
    }),
  )
  await payAlone(app.services.db, account.id)
}

/** Lets an account of a test look like the only one that pays from the bank account of all: names would be marked. */
export const payAlone = (db: Database, accountId: string) =>
  db.run`update method_secrets set hint = ${accountId} where account_id = ${accountId} and method = 'sepa'`

/** A partner with a bank account in euros, approved for this year. */
export async function aEuroPayee(app: TestApp, account: TestAccount, fields: object = {}) {
  const partner = await aPartner(app, account, {}, { signIn: true })
  await enterEuroDetails(app, partner, fields)
  const body = { approvedPayoutYears: [app.clock.now().getUTCFullYear()] }
  expectOk(await app.api('PUT', `/partners/${partner.id}`, { token: account.token, body }))
  return partner as { id: string; token: string; email: string }
}

export async function enterEuroDetails(app: TestApp, partner: { id: string; email: string }, fields: object = {}) {
  const { token } = await signIn(app, partner.email)
  expectOk(await app.api('POST', `/partners/${partner.id}/payout-settings`, { token, body: euroDetails(fields) }))
}

/** A bank's report on the orders of a file: the status of each transfer by its reference. */
export const statusReport = (messageId: string, statuses: Record<string, string>, reason = 'AC04') => {
  const one = ([reference, status]: [string, string]) =>
    `<TxInfAndSts><OrgnlEndToEndId>${reference}</OrgnlEndToEndId><TxSts>${status}</TxSts>` +
    `<StsRsnInf><Rsn><Cd>${reason}</Cd></Rsn></StsRsnInf></TxInfAndSts>`
  return (
    `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.10"><CstmrPmtStsRpt><OrgnlGrpInfAndSts>` +
    `<OrgnlMsgId>${messageId}</OrgnlMsgId></OrgnlGrpInfAndSts><OrgnlPmtInfAndSts><OrgnlPmtInfId>${messageId}` +
    `</OrgnlPmtInfId>${Object.entries(statuses).map(one).join('')}</OrgnlPmtInfAndSts></CstmrPmtStsRpt></Document>`
  )
}

export type Booking = {
  reference?: string
  /** The whole file. */
  messageId?: string
  amount: string
  currency?: string
  returned?: string
  /** Booked in the other direction: the bank's own reversal, or a credit without more. */
  credit?: 'reversal' | 'plain'
  status?: string
  day?: string
}

/** A bank's statement of the account with these bookings. */
export const buildStatement = (bookings: Booking[], iban: string = sepaDebtor.iban) => {
  const one = ({ reference, messageId, amount, currency = 'EUR', returned, credit, status = 'BOOK', day }: Booking) =>
    `<Ntry><Amt Ccy="${currency}">${amount}</Amt><CdtDbtInd>${returned || credit ? 'CRDT' : 'DBIT'}</CdtDbtInd>${credit === 'reversal' ? '<RvslInd>true</RvslInd>' : ''}<Sts><Cd>${status}` +
    `</Cd></Sts><BookgDt><Dt>${day ?? '2026-03-02'}</Dt></BookgDt><NtryDtls>` +
    (messageId
      ? `<Btch><PmtInfId>${messageId}</PmtInfId></Btch>`
      : `<TxDtls><Refs><EndToEndId>${reference}</EndToEndId></Refs>${
          returned ? `<RtrInf><Rsn><Cd>${returned}</Cd></Rsn></RtrInf>` : ''
        }</TxDtls>`) +
    `</NtryDtls></Ntry>`
  return (
    `<?xml version="1.0" encoding="UTF-8"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08">` +
    `<BkToCstmrStmt><Stmt><Acct><Id><IBAN>${iban}</IBAN></Id></Acct>${bookings.map(one).join('')}</Stmt>` +
    `</BkToCstmrStmt></Document>`
  )
}
