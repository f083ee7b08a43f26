import type { Request } from '@playwright/test'
import { endpoints } from '#contract/index.ts'

/** Calls that only try something, or prove who someone is. */
const TRIES = ['confirmPassword', 'refreshSession', 'testIncomingWebhook', 'testLink']

const readings = endpoints
  .filter(({ name, writesNothing }) => writesNothing || TRIES.includes(name))
  .map(({ path }) => new RegExp(`/api/v1${path.replaceAll(/:\w+/g, '[^/]+')}$`))

/** Whether a request of the application changes something; previews and tests do not. */
export function isWrite(request: Request): boolean {
  const url = request.url()
  return (
    request.method() !== 'GET' &&
    url.includes('/api/v1/') &&
    !readings.some((reading) => reading.test(url)) &&
    !request.postData()?.includes('"preview":true')
  )
}
