import { request } from 'node:http'
import type { LinkBlueprint } from '../../contract/links.ts'
import { expectOk, type TestAccount, type TestApp } from './app.ts'

export const BROWSER =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

/** A link blueprint to shop.example.com. */
export async function aBlueprint(
  app: TestApp,
  account: Pick<TestAccount, 'id' | 'token'>,
  fields: Record<string, unknown> = {},
): Promise<LinkBlueprint> {
  const body = { name: 'Shop', destinationUrl: 'https://shop.example.com/landing', ...fields }
  return expectOk(await app.api('POST', `/accounts/${account.id}/link-blueprints`, { token: account.token, body })).body
}

type Visit = { method?: string; query?: string; headers?: Record<string, string> }
type Visited = { status: number; location: string | null; headers: Record<string, unknown>; text: string }

/** Follows a short link one step, as a browser over raw HTTP: `query` is sent unchanged, byte by byte. */
export const visitLink = (
  app: Pick<TestApp, 'url'>,
  key: string,
  code: string,
  { query = '', ...how }: Visit = {},
): Promise<Visited> => requestPath(app, `/r/${key}/${code}${query}`, how)

/** Requests a path as it is. */
export function requestPath(
  app: Pick<TestApp, 'url'>,
  path: string,
  { method = 'GET', headers = {} }: Omit<Visit, 'query'> = {},
): Promise<Visited> {
  const { hostname, port } = new URL(app.url)
  return new Promise((resolve, reject) => {
    const call = request({ hostname, port, path, method, headers: { 'user-agent': BROWSER, ...headers } }, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (chunk) => {
        text += chunk
      })
      answer.on('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          location: answer.headers.location ?? null,
          headers: answer.headers,
          text,
        }),
      )
    })
    call.on('error', reject).end()
  })
}

/** Returns the click id in the address that a visit was redirected to. */
export const clickInAddress = ({ location }: Visited) => (location ? new URL(location).searchParams.get('click') : null)
