import assert from 'node:assert/strict'
import { type RefusalReason, refusals } from '#contract/refusals.ts'
import { anAccount, anEmail, aPartner, expectOk, type Reply, type TestApp } from './app.ts'

/** Asserts a refusal: status, code and, if given, exactly these fields. */
export function assertRefused({ status, body }: Reply, wanted: number, code: string, fields?: string[]) {
  assert.deepEqual([status, body?.error?.code], [wanted, code], JSON.stringify(body))
  const [coded] = refusals[body.error.reason as RefusalReason] ?? []
  assert.equal(coded, code, 'the reason is one of this code')
  if (fields) assert.deepEqual(Object.keys(body.error.fields ?? {}).sort(), [...fields].sort(), JSON.stringify(body))
}

/** Calls with one token; `get` and the like return the body and fail if the call was refused. */
export function createCaller(app: TestApp, token: string | null) {
  const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    app.api(method, path, { token, body, headers })
  const good = async (method: string, path: string, body?: unknown) => expectOk(await call(method, path, body)).body
  return {
    call,
    get: (path: string) => good('GET', path),
    post: (path: string, body?: unknown) => good('POST', path, body),
    put: (path: string, body?: unknown) => good('PUT', path, body),
    patch: (path: string, body?: unknown) => good('PATCH', path, body),
    delete: (path: string, body?: unknown) => good('DELETE', path, body),
  }
}

/** An account with a partner who earns 20 % and their parent who earns 5 %; `aLead` creates a lead of the partner. */
export async function aPartnerLine(app: TestApp, settings: Record<string, unknown> = {}) {
  const account = await anAccount(app, { defaultCommissionSettings: { layerRates: [20, 5] }, ...settings })
  const owner = createCaller(app, account.token)
  const home = `/accounts/${account.id}`
  const parent = await aPartner(app, account, { firstName: 'Sofia', lastName: 'Lindqvist' })
  const partner = await aPartner(app, account, { firstName: 'Jane', lastName: 'Whitfield', parentPartnerId: parent.id })
  const aLead = (fields: Record<string, unknown> = {}) =>
    owner.post(`${home}/leads`, { email: anEmail('lead'), partnerId: partner.id, ...fields })
  return { account, owner, home, parent, partner, aLead }
}

/** Returns every page of a list, by cursor; `between` runs after each page. */
export async function allPages(
  get: (path: string) => Promise<{ items: { id?: string }[]; nextCursor: string | null; total: number }>,
  path: string,
  between: () => Promise<unknown> = async () => {},
) {
  const items: Record<string, unknown>[] = []
  let cursor: string | null = null
  do {
    const query = cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''
    const page = await get(`${path}${path.includes('?') ? '&' : '?'}limit=2${query}`)
    assert.ok(page.items.length <= 2)
    items.push(...(page.items as Record<string, unknown>[]))
    cursor = page.nextCursor
    if (cursor) await between()
  } while (cursor)
  return items
}
