import type { Request } from '@playwright/test'
import { endpoints } from '#contract/index.ts'

/** Calls that only try something, or prove who someone is. */
const TRIES = ['confirmPassword', 'refreshSession', 'testIncomingWebhook', 'testLink']

const readings = endpoints
  .filter(({ name, writesNothing }) => writesNothing || TRIES.includes(name))
  .map(({ path }) => new RegExp(`/api/v1${path.replaceAll(/:\w+/g, '[^/]+')}$`))

/** Whether a request of the application makes a call that writes, if only in another step of its form. */
export const isWritingCall = (request: Request): boolean =>
  request.method() !== 'GET' &&
  request.url().includes('/api/v1/') &&
  !readings.some((reading) => reading.test(request.url()))

/** Whether a request of the application changes something; a preview does not. */
export const isWrite = (request: Request): boolean =>
  isWritingCall(request) && !request.postData()?.includes('"preview":true')
