import { anEmail, aPartner, expectOk, type TestAccount, type TestApp } from './app.ts'

type Existing = { id: string; email: string }

/** Opens a case: a sale to a partner's own e-mail, which the account holds. Returns it with its partner. */
export async function aCase(app: TestApp, account: TestAccount, existing?: Existing) {
  const { id: accountId, token } = account
  const email = anEmail('self')
  const { id: partnerId } = existing ?? (await aPartner(app, account, { email }))
  const post = async (path: string, body: object) => expectOk(await app.api('POST', path, { token, body })).body
  const lead = await post(`/accounts/${accountId}/leads`, { partnerId, email: existing?.email ?? email })
  const sale = await post(`/leads/${lead.id}/sales`, { amount: 100_00, externalId: `self-${lead.id}` })
  const path = `/accounts/${accountId}/cases?partnerId=${partnerId}`
  const { items } = expectOk(await app.api('GET', path, { token })).body
  return { id: items[0].id as string, partnerId, leadId: lead.id as string, saleId: sale.id as string }
}
