import { linksChanged } from '../../server/platform/database/links-changed.ts'
import { transaction } from '../../server/platform/database/pool.ts'
import { hostsChanged } from '../../server/program/custom-domains/host-map.ts'
import { expectOk, PASSWORD, sendRequest, type TestApp } from './app.ts'

let made = 0
/** A host name that no other test uses. */
export const aHostName = () => `partners-${++made}.acme.example`

/** Gives the account a host in this state, as if its record and its answer had been checked. */
export const setHost = ({ services: { db } }: TestApp, accountId: string, name: string, state = 'ready') =>
  transaction(db, async (tx) => {
    const givenUpAt = state === 'given-up' ? tx.now : null
    await tx.run`
      insert into hosts (account_id, name, state, proven_at, given_up_at, created_at, updated_at)
      values (${accountId}, ${name}, ${state}, ${tx.now}, ${givenUpAt}, ${tx.now}, ${tx.now})
      on conflict (account_id, name) do update set state = ${state}, given_up_at = ${givenUpAt}`
    await tx.run`update accounts set portal_host = ${state === 'ready' ? name : null} where id = ${accountId}`
    await hostsChanged(tx, accountId)
    await linksChanged(tx, accountId)
  })

/** Speaks with the server at this host. */
export function atHost(app: TestApp, name: string) {
  const headers = { host: name }
  const api: TestApp['api'] = (method, path, call = {}) =>
    app.api(method, path, { ...call, headers: { ...headers, ...call.headers } })
  return {
    api,
    get: (path: string, method = 'GET') => sendRequest(`${app.url}${path}`, { method, headers }),
    post: (path: string, form: Record<string, string>) =>
      sendRequest(`${app.url}${path}`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams(form).toString(),
      }),
    async signIn(email: string, password = PASSWORD) {
      const { body } = expectOk(await api('POST', '/auth/sign-in', { body: { email, password } }))
      return { token: body.accessToken as string, refreshToken: body.refreshToken as string }
    },
  }
}
