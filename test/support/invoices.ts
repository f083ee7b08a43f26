import type { Invoice, InvoiceDetails, Invoicing } from '#contract/invoices.ts'
import { expectOk, type TestAccount, type TestApp } from './app.ts'
import { aPayout } from './payouts.ts'

/** Settings of a company in Germany. */
export const acme = {
  legalName: 'Acme GmbH',
  address: { addressLine: 'Torstraße 1', zipCode: '10119', city: 'Berlin', state: null },
  country: 'DE',
  vatId: 'DE136695976',
  vatRate: 19,
}

/** A partner's details in Germany. */
export const hamburg = {
  legalName: 'Whitfield Media',
  address: { addressLine: 'Lange Straße 7', zipCode: '20095', city: 'Hamburg', state: null },
  country: 'DE',
  vatId: 'DE987654321',
  taxNumber: null,
  companyNumber: null,
  peppolId: null,
  smallBusiness: false,
  agreed: true,
}

/** Lets the account issue invoices. */
export const enableInvoicing = async (
  app: TestApp,
  account: TestAccount,
  body: Record<string, unknown> = {},
): Promise<Invoicing> =>
  expectOk(
    await app.api('PUT', `/accounts/${account.id}/invoicing`, {
      token: account.token,
      body: { ...acme, enabled: true, ...body },
    }),
  ).body

/** Saves a partner's details. */
export const invoiceDetails = async (
  app: TestApp,
  partner: { id: string; token: string },
  body: Record<string, unknown> = {},
  language = '*',
): Promise<InvoiceDetails> =>
  expectOk(
    await app.api('PUT', `/partners/${partner.id}/invoice-details`, {
      token: partner.token,
      headers: { 'accept-language': language },
      body: { ...hamburg, ...body },
    }),
  ).body

export const listInvoices = async (app: TestApp, account: TestAccount): Promise<Invoice[]> =>
  expectOk(await app.api('GET', `/accounts/${account.id}/invoices?limit=100&sort=number`, { token: account.token }))
    .body.items

/** Pays a partner by hand under invoicing, and returns the invoice. */
export async function anInvoice(app: TestApp, account: TestAccount, partner: { id: string; token: string }) {
  await enableInvoicing(app, account)
  await invoiceDetails(app, partner)
  const { id } = await aPayout(app, account, partner, 100_00)
  expectOk(await app.api('POST', `/payouts/${id}/mark-paid`, { token: account.token, body: { reference: 'Wire' } }))
  return (await listInvoices(app, account)).find(({ payoutId }) => payoutId === id)!
}
